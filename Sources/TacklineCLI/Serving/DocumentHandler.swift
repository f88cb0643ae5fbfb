#if CommandLine
    import FlyingFox
    import Foundation
    import TacklineCore
    import TacklineFiles

    /// A handler of requests for the document and for the stream of changes.
    struct DocumentHandler: HTTPHandler {
        let document: ServedDocument
        let streams: EventStreams
        /// The name of the file, under which it is served. The path `/` serves it too.
        let name: String
        let log: ServeLog
        /// The host names that requests may use; `nil` for any. The check prevents a web page from reaching the server
        /// by a name of its own (DNS rebinding).
        let hosts: Set<String>?

        func handleRequest(_ request: HTTPRequest) async -> HTTPResponse {
            let answer = answer(request)
            let code = answer.response.statusCode.code
            log.write(
                "request", "\(request.method.rawValue) \(request.path)  \(code)  \(answer.size.byteText)",
                [
                    "method": .string(request.method.rawValue), "path": .string(request.path),
                    "status": .integer(Int128(code)), "bytes": .integer(Int128(answer.size)),
                ])
            return answer.response
        }

        /// Reads the file again, logs the result, and notifies all clients if the document changed.
        func reload() {
            switch document.reload() {
            case .same: break
            case .broken(let reason):
                log.write(
                    "broken", reason + (reason.hasSuffix(".") ? "" : ".") + " The last good document stays served.",
                    ["reason": .string(reason)])
            case .changed(let changes):
                let keys = changes.map(\.key.text)
                let shown = keys.prefix(5).joined(separator: ", ") + (keys.count > 5 ? ", …" : "")
                let text = keys.isEmpty ? "no value" : "\(keys.count.of("value")): \(shown)"
                log.write("changed", "changed \(text)", ["keys": .array(keys.map { .string($0) })])
                streams.send(document.current.entityTag)
            }
        }

        private func answer(_ request: HTTPRequest) -> ServedAnswer {
            guard isAddressedToUs(request) else {
                return .plain(.forbidden, "This server does not answer under this name. Use the URL that it printed.\n")
            }
            let path = request.path.removingPercentEncoding ?? request.path
            guard ["/", "/\(name)", "/events"].contains(path) else {
                return .plain(.notFound, "This server has /\(name) and /events.\n")
            }
            guard request.method == .GET || (request.method == .HEAD && path != "/events") else {
                return .notAllowed("GET, HEAD")
            }
            guard path == "/events" else { return content(for: request) }
            return .stream(of: streams) { [log] in log.write("stream-closed", "stream closed") }
        }

        private func content(for request: HTTPRequest) -> ServedAnswer {
            let version = document.current
            let headers: [HTTPHeader: String] = [
                .eTag: version.entityTag, .cacheControl: "no-cache",
                // A 304 and the answer to HEAD state the length of the body that they omit (RFC 9110, section 8.6).
                .contentLength: "\(version.bytes.count)",
            ]
            if ServedAnswer.matches(request.headers[.ifNoneMatch], version.entityTag) {
                return ServedAnswer(HTTPResponse(statusCode: .notModified, headers: HTTPHeaders(headers)), 0)
            }
            let typed = headers.merging([.contentType: "application/json"]) { first, _ in first }
            if request.method == .HEAD {
                return ServedAnswer(HTTPResponse(statusCode: .ok, headers: HTTPHeaders(typed)), 0)
            }
            return ServedAnswer(
                HTTPResponse(statusCode: .ok, headers: HTTPHeaders(typed), body: Data(version.bytes)),
                version.bytes.count)
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
