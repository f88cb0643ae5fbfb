#if CommandLine
    import FlyingFox
    import Foundation

    /// An answer with the length of its body.
    struct ServedAnswer {
        var response: HTTPResponse
        var size: Int

        init(_ response: HTTPResponse, _ size: Int) {
            self.response = response
            self.size = size
        }

        static func plain(
            _ status: HTTPStatusCode, _ text: String, _ headers: [HTTPHeader: String] = [:]
        ) -> ServedAnswer {
            let headers = headers.merging([.contentType: "text/plain; charset=utf-8"]) { first, _ in first }
            return ServedAnswer(
                HTTPResponse(statusCode: status, headers: HTTPHeaders(headers), body: Data(text.utf8)), text.utf8.count)
        }

        /// Returns an answer with a stream of events, or with status 503 if too many are open.
        static func stream(of streams: EventStreams, onEnd: @escaping @Sendable () -> Void) -> ServedAnswer {
            guard let texts = streams.open(onEnd: onEnd) else {
                return .plain(.serviceUnavailable, "Too many streams are open. Close some.\n")
            }
            let headers: [HTTPHeader: String] = [.contentType: "text/event-stream", .cacheControl: "no-store"]
            let body = HTTPBodySequence(from: EventBody(texts: texts))
            return ServedAnswer(HTTPResponse(statusCode: .ok, headers: HTTPHeaders(headers), body: body), 0)
        }

        static func notAllowed(_ methods: String) -> ServedAnswer {
            .plain(.methodNotAllowed, "Use \(methods).\n", [HTTPHeader("Allow"): methods])
        }

        /// Returns whether a field matches a tag by weak comparison, as `If-None-Match` requires (RFC 9110, section
        /// 13.1.2).
        static func matches(_ field: String?, _ entityTag: String) -> Bool {
            (field ?? "").split(separator: ",").contains { part in
                let tag = part.trimmingCharacters(in: .whitespaces)
                return tag == "*" || tag == entityTag || tag == "W/\(entityTag)"
            }
        }
    }
#endif
