#if CommandLine
    import FlyingFox
    import Foundation
    import TacklineCore

    /// A handler for the OpenFeature Remote Evaluation Protocol over HTTP.
    struct OFREPHandler: Sendable {
        static let root = "/ofrep/v1/"

        let document: ServedDocument
        let streams: EventStreams
        let keys: ServeKeys

        /// - Parameter path: The request's path with its percent encoding removed.
        func answer(_ request: HTTPRequest, path: String) async -> ServedAnswer {
            let name = path.dropFirst(Self.root.count)
            if name == "events" { return request.method == .GET ? .stream(of: streams) {} : .notAllowed("GET") }
            guard name == "evaluate/flags" || name.hasPrefix("evaluate/flags/") else {
                return .plain(.notFound, "There is \(Self.root)evaluate/flags.\n")
            }
            guard request.method == .POST else { return .notAllowed("POST") }
            guard let body = await body(of: request) else {
                let text = "The body is longer than \(OFREPAnswers.maximumBytes >> 20) MiB.\n"
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
                // The entity tag is that of the answer, so it depends on the context too.
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

        /// Returns the bytes of the body; `nil` if there are too many.
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
                // The client has closed the connection. An incomplete body is refused as JSON.
            }
            return bytes
        }

        /// Returns the event that notifies clients of a change of the document.
        static func event(_ entityTag: String) -> String {
            let data: EncodedFlagValue = ["type": "refetchEvaluation", "etag": .string(entityTag)]
            return "data: \((try? FlagJSONWriter(layout: .compact).text(of: data)) ?? "{}")\n\n"
        }
    }
#endif
