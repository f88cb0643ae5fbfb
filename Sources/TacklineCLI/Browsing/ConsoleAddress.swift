#if CommandLine
    import Foundation

    /// The address of a console, taken from the URL that it printed.
    struct ConsoleAddress: Sendable, Hashable {
        let host: String
        let port: UInt16
        /// The secret that is exchanged for a session; `nil` if the URL contains none.
        var token: String?

        /// - Throws: If the text is not the URL of a console.
        init(_ text: String) throws(CommandFailure) {
            guard let components = URLComponents(string: text), components.scheme?.lowercased() == "http",
                let host = components.host, !host.isEmpty, let port = UInt16(exactly: components.port ?? 80)
            else {
                throw CommandFailure(
                    "\"\(text)\" is not the URL of a console, such as http://127.0.0.1:8080/.", status: .usage)
            }
            // The host goes into the head of a request, so it must not contain a line end.
            guard host.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw CommandFailure(
                    "The host of \"\(text)\" has characters that no host has; correct it.", status: .usage)
            }
            self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
            self.port = port
            token = components.queryItems?.first { $0.name == "token" }?.value
        }

        /// The host and port as the headers `Host` and `Origin` contain them.
        var authority: String {
            let host = host.contains(":") ? "[\(host)]" : host
            return port == 80 ? host : "\(host):\(port)"
        }

        /// The address for people, without the secret.
        var description: String { "http://\(authority)/" }
    }
#endif
