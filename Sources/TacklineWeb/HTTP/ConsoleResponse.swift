#if Web
    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    // Foundation: sockets take `Data`.

    /// What a client is answered.
    struct ConsoleResponse: Sendable {
        enum Body: Sendable {
            case text(String)
            /// Pieces that are sent as they come, until the stream ends or the client goes.
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

        static func plain(_ problem: ConsoleRequestProblem) -> ConsoleResponse {
            ConsoleResponse(problem.status, type: "text/plain; charset=utf-8", problem.message + "\n")
        }

        /// What goes before the body.
        ///
        /// Every answer, errors too, forbids what no answer needs: to be kept, to be framed, to be taken for another type,
        /// to be read or opened by other sites.
        var head: Data {
            var lines = ["HTTP/1.1 \(status) \(Self.phrases[status] ?? "Status")"]
            lines += headers.map { "\($0.name): \($0.value)" }
            lines += Self.always
            if !headers.contains(where: { $0.name == "Content-Security-Policy" }) {
                lines.append("Content-Security-Policy: default-src 'none'; frame-ancestors 'none'")
            }
            if case .text(let text) = body { lines.append("Content-Length: \(text.utf8.count)") }
            return Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        }

        private static let always = [
            "Connection: close",
            "Cache-Control: no-store",
            "X-Content-Type-Options: nosniff",
            "X-Frame-Options: DENY",
            "Referrer-Policy: no-referrer",
            "Cross-Origin-Opener-Policy: same-origin",
            "Cross-Origin-Resource-Policy: same-origin",
        ]

        private static let phrases = [
            200: "OK", 303: "See Other", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
            405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict", 411: "Length Required",
            413: "Content Too Large", 415: "Unsupported Media Type", 422: "Unprocessable Content",
            431: "Request Header Fields Too Large", 500: "Internal Server Error", 501: "Not Implemented",
            503: "Service Unavailable",
        ]
    }
#endif
