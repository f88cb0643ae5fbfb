#if Web
    import TacklineHTTP

    /// The access rules of a console.
    struct ConsoleGuard: Sendable {
        let secrets: FlagsConsoleSecrets
        let port: UInt16
        /// The names under which the console may be addressed, in addition to those of the connection.
        let hosts: Set<String>
        /// Returns whether the app still allows overrides.
        let isAllowed: @Sendable () -> Bool

        /// The name of the cookie. It contains the port, because browsers keep cookies by host and not by port.
        var cookieName: String { "tackline-console-\(port)" }

        /// The header field value that sets the session cookie.
        var cookie: String { "\(cookieName)=\(secrets.session); Path=/; HttpOnly; SameSite=Strict" }

        /// Returns whether the request has the session that the token was exchanged for.
        func knows(_ request: ConsoleRequest) -> Bool {
            FlagsConsoleSecrets.isSame(request.cookie(named: cookieName) ?? "", secrets.session)
        }

        func accepts(token: String) -> Bool {
            FlagsConsoleSecrets.isSame(token, secrets.token)
        }

        /// Returns the reason why a request is refused whether or not it has a session, or `nil` if it is accepted.
        ///
        /// The host name in the request must be one of the console's names: another site can make its own name resolve
        /// to this machine (DNS rebinding), but can't change the name that its pages send. The origin that a browser
        /// reports must be the console too, because cookies are sent to all ports of a host.
        ///
        /// - Parameter localHost: The address at which the connection arrived, in URL syntax.
        func refusal(of request: ConsoleRequest, localHost: String) -> HTTPRequestProblem? {
            guard isAllowed() else {
                return HTTPRequestProblem(
                    403, "This console is closed, because the app allows no overrides any more.")
            }
            guard let host = request.headers["host"], isOurs(host, localHost: localHost) else {
                return HTTPRequestProblem(
                    403,
                    """
                    This console does not answer under this name. Open the URL that the program printed, or add the name \
                    to the options' hosts.
                    """)
            }
            // A link on another site may lead here. It only shows the page, and never in a frame.
            if let site = request.headers["sec-fetch-site"], site != "same-origin", site != "none",
                !request.isForeignNavigation
            {
                return HTTPRequestProblem(
                    403, "Other sites may not talk to this console. Enter its URL in the address bar of the browser.")
            }
            if let origin = request.headers["origin"] {
                // A proxy that the options name may use https.
                let schemes = isName(host, among: hosts) ? ["http://", "https://"] : ["http://"]
                guard schemes.contains(where: { origin.lowercased() == $0 + host.lowercased() }) else {
                    return HTTPRequestProblem(403, "Pages of other origins may not talk to this console.")
                }
            } else if request.method == "POST" {
                return HTTPRequestProblem(403, "A request that changes something has to name its Origin.")
            }
            return nil
        }

        private func isOurs(_ host: String, localHost: String) -> Bool {
            var names = hosts.union([localHost])
            if localHost == "127.0.0.1" || localHost == "[::1]" { names.insert("localhost") }
            return isName(host, among: names)
        }

        private func isName(_ host: String, among names: Set<String>) -> Bool {
            let host = host.lowercased()
            return names.contains { name in
                let name = name.lowercased()
                return host == "\(name):\(port)" || host == name && (port == 80 || Self.hasPort(name))
                    // Browsers leave out the usual ports, at which a proxy may be.
                    || name == "\(host):80" || name == "\(host):443"
            }
        }

        private static func hasPort(_ name: String) -> Bool {
            guard let colon = name.lastIndex(of: ":") else { return false }
            let digits = name[name.index(after: colon)...]
            return !digits.isEmpty && digits.allSatisfy(\.isWholeNumber)
        }
    }
#endif
