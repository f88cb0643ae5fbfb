#if Web
    import FlyingFox

    /// The access rules of a console.
    struct ConsoleGuard: Sendable {
        let secrets: ConsoleSecrets
        let port: UInt16
        let address: FlagsConsole.Address
        /// The names under which the console may be addressed, in addition to its addresses.
        let hosts: Set<String>
        /// Returns whether the app still allows overrides.
        let isAllowed: @Sendable () -> Bool

        /// The name of the cookie. It contains the port, because browsers keep cookies by host and not by port.
        var cookieName: String { "tackline-console-\(port)" }

        /// The header field value that sets the session cookie.
        var cookie: String { "\(cookieName)=\(secrets.session); Path=/; HttpOnly; SameSite=Strict" }

        /// Returns whether the request has the session that the token was exchanged for.
        func knows(_ request: HTTPRequest) -> Bool {
            ConsoleSecrets.isSame(request.cookie(named: cookieName) ?? "", secrets.session)
        }

        /// Returns the reason why a request is refused whether or not it has a session, or `nil` if it is accepted.
        ///
        /// The host name in the request must be one of the console's names: another site can make its own name resolve
        /// to this machine (DNS rebinding), but can't change the name that its pages send. The origin that a browser
        /// reports must be the console too, because cookies are sent to all ports of a host.
        func refusal(of request: HTTPRequest) -> String? {
            guard isAllowed() else { return "This console is closed, because the app allows no overrides any more." }
            guard let host = request.field("Host"), isName(host, among: hosts.union(ownHosts)) else {
                return """
                    This console does not answer under this name. Open the URL that the program printed, or add the name \
                    to the options' hosts.
                    """
            }
            // A link on another site may lead here. It only shows the page, and never in a frame.
            if let site = request.field("Sec-Fetch-Site"), site != "same-origin", site != "none",
                !request.isForeignNavigation
            {
                return "Other sites may not talk to this console. Enter its URL in the address bar of the browser."
            }
            if let origin = request.field("Origin") {
                // A proxy that the options name may use https.
                let schemes = isName(host, among: hosts) ? ["http://", "https://"] : ["http://"]
                guard schemes.contains(where: { origin.lowercased() == $0 + host.lowercased() }) else {
                    return "Pages of other origins may not talk to this console."
                }
            } else if request.method != .GET {
                return "A request that changes something has to name its Origin."
            }
            return nil
        }

        /// The hosts of the console's own addresses, in URL syntax.
        private var ownHosts: Set<String> {
            switch address {
            case .loopback, .address("127.0.0.1"): ["127.0.0.1", "localhost"]
            case .address("::1"): ["[::1]", "localhost"]
            case .address(let host): [host.contains(":") ? "[\(host)]" : host]
            case .everywhere: Set(LocalAddresses.all.map(\.host) + ["localhost"])
            }
        }

        private func isName(_ host: String, among names: Set<String>) -> Bool {
            let host = host.lowercased()
            return names.contains { name in
                let name = name.lowercased()
                let hasPort = name.firstMatch(of: /:[0-9]+$/) != nil
                return host == "\(name):\(port)" || host == name && (port == 80 || hasPort)
                    // Browsers leave out the usual ports, at which a proxy may be.
                    || name == "\(host):80" || name == "\(host):443"
            }
        }
    }
#endif
