#if CommandLine
    import FlyingFox
    import Foundation
    import TacklineCore
    import TacklineFormats

    /// Answers the OpenFeature Remote Evaluation Protocol over HTTP.
    struct OFREPHandler: Sendable {
        static let root = "/ofrep/v1/"

        let document: ServedDocument
        let streams: EventStreams
        let keys: ServeKeys

        /// - Parameter path: The request's path without its percent signs.
        func answer(_ request: HTTPRequest, path: String) async -> ServedAnswer {
            let name = path.dropFirst(Self.root.count)
            if name == "events" { return request.method == .GET ? stream() : .notAllowed("GET") }
            guard name == "evaluate/flags" || name.hasPrefix("evaluate/flags/") else {
                return .plain(.notFound, "There is \(Self.root)evaluate/flags.\n")
            }
            guard request.method == .POST else { return .notAllowed("POST") }
            guard let body = await body(of: request) else {
                let text = "The body is longer than \(OFREPAnswers.maximumBytes) bytes.\n"
                return .plain(.payloadTooLarge, text, [HTTPHeader("Connection"): "close"])
            }
            let answers = OFREPAnswers(version: document.current)
            guard name != "evaluate/flags", name != "evaluate/flags/" else {
                return reply(
                    to: request, answers.bulk(body: body, eventStream: "\(Self.root)events\(keys.query)"), isBulk: true)
            }
            return reply(to: request, answers.single(String(name.dropFirst("evaluate/flags/".count)), body: body))
        }

        private func reply(
            to request: HTTPRequest, _ answer: OFREPAnswers.Answer, isBulk: Bool = false
        ) -> ServedAnswer {
            let bytes = (try? FlagJSONWriter(layout: .compact).bytes(of: answer.body)) ?? []
            var headers: [HTTPHeader: String] = [.contentType: "application/json", .cacheControl: "no-cache"]
            let status = HTTPStatusCode(answer.status, phrase: answer.status == 200 ? "OK" : "Refused")
            if isBulk, answer.status == 200 {
                // Of the answer, and so of the context, too.
                let tag = ServedDocument.entityTag(of: bytes)
                headers[.eTag] = tag
                if ServedAnswer.matches(request.headers[.ifNoneMatch], tag) {
                    headers[.contentType] = nil
                    return ServedAnswer(HTTPResponse(statusCode: .notModified, headers: HTTPHeaders(headers)), 0)
                }
            }
            return ServedAnswer(
                HTTPResponse(statusCode: status, headers: HTTPHeaders(headers), body: Data(bytes)), bytes.count)
        }

        private func stream() -> ServedAnswer {
            guard let texts = streams.open(onEnd: {}) else {
                return .plain(.serviceUnavailable, "Too many streams are open.\n")
            }
            let headers: [HTTPHeader: String] = [.contentType: "text/event-stream", .cacheControl: "no-store"]
            let body = HTTPBodySequence(from: EventBody(texts: texts))
            return ServedAnswer(HTTPResponse(statusCode: .ok, headers: HTTPHeaders(headers), body: body), 0)
        }

        /// The bytes of the body; `nil` if there are too many.
        private func body(of request: HTTPRequest) async -> [UInt8]? {
            if let length = request.headers[.contentLength].flatMap(Int.init), length > OFREPAnswers.maximumBytes {
                return nil
            }
            var bytes: [UInt8] = []
            do {
                for try await part in request.bodySequence {
                    bytes += part
                    guard bytes.count <= OFREPAnswers.maximumBytes else { return nil }
                }
            } catch {
                // The client has gone; what came is refused as JSON.
            }
            return bytes
        }

        /// What clients are told when the document has changed.
        static func event(_ entityTag: String) -> String {
            let data: EncodedFlagValue = ["type": "refetchEvaluation", "etag": .string(entityTag)]
            return "data: \((try? FlagJSONWriter(layout: .compact).text(of: data)) ?? "{}")\n\n"
        }
    }

    /// An answer, and how long its body is.
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

        static func notAllowed(_ methods: String) -> ServedAnswer {
            .plain(.methodNotAllowed, "Use \(methods).\n", [HTTPHeader("Allow"): methods])
        }

        /// Compares weakly, as `If-None-Match` asks for (RFC 9110, section 13.1.2).
        static func matches(_ field: String?, _ entityTag: String) -> Bool {
            (field ?? "").split(separator: ",").contains { part in
                let tag = part.trimmingCharacters(in: .whitespaces)
                return tag == "*" || tag == entityTag || tag == "W/\(entityTag)"
            }
        }
    }

    /// The keys that clients have to show; none lets everybody in.
    struct ServeKeys: Sendable {
        private let keys: [[UInt8]]
        /// What a stream's address carries, since a browser's `EventSource` sends no header; new in each process.
        private let streamKey: String

        /// - Parameter path: A file with a key on each line; `nil` for no keys.
        /// - Throws: If it cannot be read, or has no key.
        init(path: String?) throws(CommandFailure) {
            var random = SystemRandomNumberGenerator()
            streamKey = String(random.next(), radix: 36) + String(random.next(), radix: 36)
            guard let path else {
                keys = []
                return
            }
            let lines = try InputFile(path: path).bytes.split { $0 == 10 || $0 == 13 }
            keys = lines.map { line in
                Array(line.drop { $0 == 32 || $0 == 9 }.reversed().drop { $0 == 32 || $0 == 9 }.reversed())
            }.filter { !$0.isEmpty }
            guard !keys.isEmpty else {
                throw CommandFailure("\(path) has no key; write one on each line.", status: .usage)
            }
        }

        /// What the address of a stream carries.
        var query: String { keys.isEmpty ? "" : "?key=\(streamKey)" }

        /// Whether a request shows a key, as `X-API-Key`, as a bearer's token, or in the address of a stream.
        func admits(_ request: HTTPRequest, isStream: Bool) -> Bool {
            guard !keys.isEmpty else { return true }
            var shown: [String] = []
            if let key = request.headers[HTTPHeader("X-API-Key")] { shown.append(key) }
            if let field = request.headers[.authorization], field.lowercased().hasPrefix("bearer ") {
                shown.append(field.dropFirst(7).trimmingCharacters(in: .whitespaces))
            }
            if isStream, let key = request.query.first(where: { $0.name == "key" })?.value,
                Self.areEqual(Array(key.utf8), Array(streamKey.utf8))
            {
                return true
            }
            return shown.contains { key in keys.contains { Self.areEqual($0, Array(key.utf8)) } }
        }

        /// Compares in a time that says nothing of where the first difference is.
        private static func areEqual(_ first: [UInt8], _ second: [UInt8]) -> Bool {
            guard first.count == second.count else { return false }
            return zip(first, second).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
        }
    }
#endif
