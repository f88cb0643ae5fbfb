#if Web
    /// Decides who is let in.
    struct ConsoleGuard: Sendable {
        let secrets: FlagsConsoleSecrets
        let port: UInt16
        /// Names under which the console may be addressed, beyond those of the connection.
        let hosts: Set<String>

        /// Browsers keep cookies by host, not by port, so the name tells the consoles of one host apart.
        var cookieName: String { "tackline-console-\(port)" }

        /// The field that makes a browser keep the session.
        var cookie: String { "\(cookieName)=\(secrets.session); Path=/; HttpOnly; SameSite=Strict" }

        /// Whether the request shows the session that the token was exchanged for.
        func knows(_ request: ConsoleRequest) -> Bool {
            FlagsConsoleSecrets.isSame(request.cookie(named: cookieName) ?? "", secrets.session)
        }

        func accepts(token: String) -> Bool {
            FlagsConsoleSecrets.isSame(token, secrets.token)
        }

        /// Why a request is refused whoever sends it; `nil` if it is not.
        ///
        /// The name that the client believes it talks to has to be one of ours: another site can make its own name point
        /// here (DNS rebinding), but cannot change the name that its pages send. What a browser says about the page that
        /// asks has to name us too, since cookies are sent to all ports of a host.
        ///
        /// - Parameter localHost: The address at which the connection arrived, as it stands in a URL.
        func refusal(of request: ConsoleRequest, localHost: String) -> ConsoleRequestProblem? {
            guard let host = request.headers["host"], isOurs(host, localHost: localHost) else {
                return ConsoleRequestProblem(
                    403,
                    """
                    This console does not answer under this name. Open the URL that the program printed, or add the name \
                    to the options' hosts.
                    """)
            }
            // A link elsewhere may lead here: nothing happens then but that the page is shown, and no frame shows it.
            if let site = request.headers["sec-fetch-site"], site != "same-origin", site != "none",
                !request.isForeignNavigation
            {
                return ConsoleRequestProblem(
                    403, "Other sites may not talk to this console. Enter its URL in the address bar of the browser.")
            }
            if let origin = request.headers["origin"] {
                guard origin.lowercased() == "http://" + host.lowercased() else {
                    return ConsoleRequestProblem(403, "Pages of other origins may not talk to this console.")
                }
            } else if request.method == "POST" {
                return ConsoleRequestProblem(403, "A request that changes something has to name its Origin.")
            }
            return nil
        }

        private func isOurs(_ host: String, localHost: String) -> Bool {
            var names = hosts.union([localHost])
            if localHost == "127.0.0.1" || localHost == "[::1]" { names.insert("localhost") }
            let host = host.lowercased()
            return names.contains { name in
                let name = name.lowercased()
                return host == "\(name):\(port)" || host == name && (port == 80 || Self.hasPort(name))
            }
        }

        private static func hasPort(_ name: String) -> Bool {
            guard let colon = name.lastIndex(of: ":") else { return false }
            let digits = name[name.index(after: colon)...]
            return !digits.isEmpty && digits.allSatisfy(\.isWholeNumber)
        }
    }
#endif
