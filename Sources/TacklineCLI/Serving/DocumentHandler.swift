#if CommandLine
    import FlyingFox
    import Foundation
    import TacklineCore

    /// Answers requests for the document and the stream.
    struct DocumentHandler: HTTPHandler {
        let document: ServedDocument
        let streams: EventStreams
        /// The file's name, under which it is served; `/` does as well.
        let name: String
        let log: ServeLog
        /// The names under which the server may be addressed, so that no page of the web reaches it by a name of its own
        /// (DNS rebinding); `nil` for any.
        let hosts: Set<String>?

        func handleRequest(_ request: HTTPRequest) async -> HTTPResponse {
            let (response, size) = answer(request)
            let code = response.statusCode.code
            let bytes = size == 1 ? "1 byte" : "\(size) bytes"
            log.tell(
                "request", "\(request.method.rawValue) \(request.path)  \(code)  \(bytes)",
                [
                    "method": .string(request.method.rawValue), "path": .string(request.path),
                    "status": .integer(Int128(code)), "bytes": .integer(Int128(size)),
                ])
            return response
        }

        /// Reads the file again, logs the result, and tells every client if the document changed.
        func reload() {
            switch document.reload() {
            case .same: break
            case .broken(let reason):
                log.tell(
                    "broken", reason + (reason.hasSuffix(".") ? "" : ".") + " The last good document stays served.",
                    ["reason": .string(reason)])
            case .changed(let changes):
                let keys = changes.map(\.key.text)
                let shown = keys.prefix(5).joined(separator: ", ") + (keys.count > 5 ? ", …" : "")
                let text =
                    keys.isEmpty ? "no value" : "\(keys.count == 1 ? "1 value" : "\(keys.count) values"): \(shown)"
                log.tell("changed", "changed \(text)", ["keys": .array(keys.map { .string($0) })])
                streams.tell(document.current.entityTag)
            }
        }

        /// - Returns: The answer and how long its body is.
        private func answer(_ request: HTTPRequest) -> (HTTPResponse, Int) {
            guard isAddressedToUs(request) else {
                return plain(.forbidden, "This server does not answer under this name. Use the URL that it printed.\n")
            }
            let path = request.path.removingPercentEncoding ?? request.path
            guard ["/", "/\(name)", "/events"].contains(path) else {
                return plain(.notFound, "There is /\(name) and /events.\n")
            }
            guard request.method == .GET || (request.method == .HEAD && path != "/events") else {
                return plain(.methodNotAllowed, "Use GET.\n", [HTTPHeader("Allow"): "GET, HEAD"])
            }
            return path == "/events" ? stream() : content(for: request)
        }

        private func content(for request: HTTPRequest) -> (HTTPResponse, Int) {
            let version = document.current
            let headers: [HTTPHeader: String] = [
                .eTag: version.entityTag, .cacheControl: "no-cache",
                // A 304 and the answer to HEAD have the length of what they leave out (RFC 9110, section 8.6).
                .contentLength: "\(version.bytes.count)",
            ]
            if matches(request.headers[.ifNoneMatch], version.entityTag) {
                return (HTTPResponse(statusCode: .notModified, headers: HTTPHeaders(headers)), 0)
            }
            let typed = headers.merging([.contentType: "application/json"]) { first, _ in first }
            if request.method == .HEAD { return (HTTPResponse(statusCode: .ok, headers: HTTPHeaders(typed)), 0) }
            return (
                HTTPResponse(statusCode: .ok, headers: HTTPHeaders(typed), body: Data(version.bytes)),
                version.bytes.count
            )
        }

        private func stream() -> (HTTPResponse, Int) {
            let texts = streams.open { [log] in log.tell("stream-closed", "stream closed") }
            guard let texts else { return plain(.serviceUnavailable, "Too many streams are open.\n") }
            let headers: [HTTPHeader: String] = [.contentType: "text/event-stream", .cacheControl: "no-store"]
            let body = HTTPBodySequence(from: EventBody(texts: texts))
            return (HTTPResponse(statusCode: .ok, headers: HTTPHeaders(headers), body: body), 0)
        }

        private func plain(
            _ status: HTTPStatusCode, _ text: String, _ headers: [HTTPHeader: String] = [:]
        ) -> (HTTPResponse, Int) {
            let headers = headers.merging([.contentType: "text/plain; charset=utf-8"]) { first, _ in first }
            return (
                HTTPResponse(statusCode: status, headers: HTTPHeaders(headers), body: Data(text.utf8)), text.utf8.count
            )
        }

        /// Compares weakly, as `If-None-Match` asks for (RFC 9110, section 13.1.2).
        private func matches(_ field: String?, _ entityTag: String) -> Bool {
            (field ?? "").split(separator: ",").contains { part in
                let tag = part.trimmingCharacters(in: .whitespaces)
                return tag == "*" || tag == entityTag || tag == "W/\(entityTag)"
            }
        }

        private func isAddressedToUs(_ request: HTTPRequest) -> Bool {
            guard let hosts else { return true }
            guard let field = request.headers[.host]?.lowercased() else { return false }
            let isAddress = field.hasPrefix("[")
            let end = isAddress ? field.firstIndex(of: "]").map { field.index(after: $0) } : field.firstIndex(of: ":")
            return hosts.contains(String(field[..<(end ?? field.endIndex)]))
        }
    }
#endif
