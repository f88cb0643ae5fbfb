#if CommandLine
    import Foundation

    /// Where a console is, taken from the URL that it printed.
    struct ConsoleAddress: Sendable, Hashable {
        let host: String
        let port: UInt16
        /// The secret that is exchanged for a session; `nil` if the URL has none.
        var token: String?

        /// - Throws: If it is no such URL.
        init(_ text: String) throws(CommandFailure) {
            guard let components = URLComponents(string: text), components.scheme?.lowercased() == "http",
                let host = components.host, !host.isEmpty, let port = UInt16(exactly: components.port ?? 80)
            else {
                throw CommandFailure(
                    "\"\(text)\" is no URL of a console, such as http://127.0.0.1:8080/.", status: .usage)
            }
            // What goes into the head of a request must not end a line of it.
            guard host.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw CommandFailure("The host of \"\(text)\" has characters that no host has.", status: .usage)
            }
            self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
            self.port = port
            token = components.queryItems?.first { $0.name == "token" }?.value
        }

        /// Host and port as `Host` and `Origin` have them.
        var authority: String {
            let host = host.contains(":") ? "[\(host)]" : host
            return port == 80 ? host : "\(host):\(port)"
        }

        /// For people, without the secret.
        var description: String { "http://\(authority)/" }
    }
#endif
