#if Web
    import TacklineHTTP

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    // Foundation: sockets take `Data`.

    /// A response to a client.
    struct ConsoleResponse: Sendable {
        enum Body: Sendable {
            case text(String)
            /// Texts that are sent as they arrive, until the stream ends or the client disconnects.
            case stream(AsyncStream<String>)
        }

        var status: Int
        var headers: [(name: String, value: String)]
        var body: Body

        init(_ status: Int, type: String, _ text: String, headers: [(name: String, value: String)] = []) {
            self.status = status
            self.headers = [("Content-Type", type)] + headers
            body = .text(text)
        }

        init(events: AsyncStream<String>) {
            status = 200
            headers = [("Content-Type", "text/event-stream; charset=utf-8")]
            body = .stream(events)
        }

        static func json(_ status: Int = 200, _ text: String) -> ConsoleResponse {
            ConsoleResponse(status, type: "application/json; charset=utf-8", text)
        }

        static func plain(_ problem: HTTPRequestProblem) -> ConsoleResponse {
            ConsoleResponse(problem.status, type: "text/plain; charset=utf-8", problem.message + "\n")
        }

        /// The status line and the header fields.
        ///
        /// Every response, including errors, forbids what none needs: caching, framing, sniffing of another type, and
        /// access by other sites.
        var head: Data {
            var fields = headers + Self.always
            if !headers.contains(where: { $0.name == "Content-Security-Policy" }) {
                fields.append(("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"))
            }
            if case .text(let text) = body { fields.append(("Content-Length", "\(text.utf8.count)")) }
            return Data(HTTPResponseHead.text(status: status, fields: fields).utf8)
        }

        private static let always = [
            (name: "Connection", value: "close"),
            ("Cache-Control", "no-store"),
            ("X-Content-Type-Options", "nosniff"),
            ("X-Frame-Options", "DENY"),
            ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
        ]
    }
#endif
