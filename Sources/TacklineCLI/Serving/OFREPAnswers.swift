#if CommandLine
    import TacklineCore
    import TacklineTargeting

    /// The answers of the OpenFeature Remote Evaluation Protocol, version 0.3, for a document. It does no input or
    /// output.
    ///
    /// The protocol's OpenAPI document does not cover three cases:
    ///
    /// - Its reasons have no `DEFAULT`. Such an answer has the reason `UNKNOWN` and the real one in its metadata.
    /// - Its values have no lists. A flag whose value is a list is answered with an error.
    /// - It requires a context with a targeting key, but SDKs send none if the application gave none. Only a context or
    ///   key of the wrong type is refused. A split then gives no value.
    struct OFREPAnswers {
        /// An answer of the protocol.
        struct Answer: Equatable {
            var status: Int
            var body: EncodedFlagValue
        }

        /// The limits for a request's body.
        static var limits: FlagJSONReader.Limits {
            var limits = FlagJSONReader.Limits()
            limits.maximumBytes = maximumBytes
            return limits
        }

        /// The largest number of bytes in a request's body.
        static let maximumBytes = 1 << 20

        let version: ServedDocument.Version

        /// Returns the evaluation of one flag.
        func single(_ key: String, body: [UInt8]) -> Answer {
            answer(body, key: key) { context in
                guard let evaluation = evaluation(of: key, for: context) else {
                    let refusal = Refusal(code: "FLAG_NOT_FOUND", details: "The document has no flag \"\(key)\".")
                    return Answer(status: 404, body: refusal.body(key: key))
                }
                return Answer(status: evaluation.isFailure ? 400 : 200, body: .object(evaluation.members))
            }
        }

        /// Returns the evaluation of all flags, sorted by key.
        ///
        /// - Parameter eventStream: The path and query of the stream of changes.
        func bulk(body: [UInt8], eventStream: String) -> Answer {
            answer(body, key: nil) { context in
                let flags = keys.compactMap { evaluation(of: $0, for: context)?.members }
                var members: [String: EncodedFlagValue] = [
                    "flags": .array(flags.map { .object($0) }),
                    "eventStreams": [["type": "sse", "endpoint": ["requestUri": .string(eventStream)]]],
                ]
                if let metadata = version.definitions?.metadata, !metadata.isEmpty {
                    members["metadata"] = .object(metadata)
                }
                return Answer(status: 200, body: .object(members))
            }
        }

        /// Returns the answer for the context in a request's body, or why there is none.
        private func answer(_ body: [UInt8], key: String?, _ answer: (EvaluationContext) -> Answer) -> Answer {
            do throws(Refusal) {
                return answer(try Self.context(in: body))
            } catch {
                return Answer(status: 400, body: error.body(key: key))
            }
        }

        // MARK: Requests

        /// The reason why a request is refused.
        private struct Refusal: Error {
            var code: String
            var details: String

            func body(key: String?) -> EncodedFlagValue {
                var members: [String: EncodedFlagValue] = [
                    "errorCode": .string(code), "errorDetails": .string(details),
                ]
                members["key"] = key.map { .string($0) }
                return .object(members)
            }
        }

        private static func context(in body: [UInt8]) throws(Refusal) -> EvaluationContext {
            let value: EncodedFlagValue
            do throws(FlagJSONError) {
                value = try FlagJSONReader(limits: limits).read(body)
            } catch {
                throw Refusal(code: "PARSE_ERROR", details: "The body is not JSON: \(error).")
            }
            guard case .object(let members) = value else {
                throw Refusal(code: "PARSE_ERROR", details: "The body is \(value.kind), and needs to be an object.")
            }
            guard let given = members["context"] else { return EvaluationContext() }
            guard case .object(var attributes) = given else {
                throw Refusal(
                    code: "INVALID_CONTEXT", details: "The context is \(given.kind), and needs to be an object.")
            }
            switch attributes.removeValue(forKey: "targetingKey") {
            case nil, .null?: return EvaluationContext(attributes: attributes)
            case .string(let key)?: return EvaluationContext(targetingKey: key, attributes: attributes)
            case let key?:
                throw Refusal(
                    code: "INVALID_CONTEXT", details: "The targeting key is \(key.kind), and needs to be a text.")
            }
        }

        // MARK: Flags

        private struct Evaluation {
            var members: [String: EncodedFlagValue]
            var isFailure = false
        }

        /// The keys of all flags: those of the definitions, or of every value that is not a group.
        private var keys: [String] {
            if let definitions = version.definitions {
                return (definitions.flags.keys + definitions.namesakes.map(\.key)).sorted()
            }
            return version.values.leafKeys
        }

        private func evaluation(of key: String, for context: EvaluationContext) -> Evaluation? {
            guard let definitions = version.definitions else {
                return version.values.value(for: FlagKeyPath(key)).map { success(key, $0, .static) }
            }
            let evaluation = definitions.evaluate(key, for: context)
            if evaluation.errorCode == .flagNotFound { return nil }
            switch evaluation.outcome {
            case .value(let value):
                let value = Self.number(value, among: definitions.flags[key]?.variants.values.map { $0 } ?? [])
                return success(key, value, evaluation.reason, evaluation.variant, evaluation.metadata)
            case .noOpinion: return success(key, nil, evaluation.reason, nil, evaluation.metadata)
            case .error:
                return failure(
                    key, evaluation.errorCode, evaluation.message ?? "It cannot be evaluated.", evaluation.metadata)
            }
        }

        /// Returns an integer as a double if another variant is a double. SDKs of other languages distinguish the two,
        /// and the flag is of one type.
        private static func number(_ value: EncodedFlagValue, among variants: [EncodedFlagValue]) -> EncodedFlagValue {
            guard case .integer(let whole) = value,
                variants.contains(where: { if case .double = $0 { true } else { false } }),
                let number = Double(exactly: whole)
            else { return value }
            return .double(number)
        }

        /// - Parameter value: The value; `nil` or null if the default in the application's code applies.
        private func success(
            _ key: String, _ value: EncodedFlagValue?, _ reason: FlagResolutionReason, _ variant: String? = nil,
            _ metadata: [String: EncodedFlagValue] = [:]
        ) -> Evaluation {
            if case .array? = value {
                return failure(
                    key, .general, "The value is a list, which the protocol cannot carry; put it into an object.",
                    metadata)
            }
            let known: Set<FlagResolutionReason> = [.static, .targetingMatch, .split, .disabled]
            var metadata = metadata
            if !known.contains(reason) { metadata["tackline.reason"] = .string(reason.rawValue) }
            var members: [String: EncodedFlagValue] = [
                "key": .string(key), "reason": .string(known.contains(reason) ? reason.rawValue : "UNKNOWN"),
            ]
            if let value, value != .null { members["value"] = value }
            members["variant"] = variant.map { .string($0) }
            if !metadata.isEmpty { members["metadata"] = .object(metadata) }
            return Evaluation(members: members)
        }

        private func failure(
            _ key: String, _ code: FlagResolutionErrorCode?, _ message: String, _ metadata: [String: EncodedFlagValue]
        ) -> Evaluation {
            let known = ["PARSE_ERROR", "TARGETING_KEY_MISSING", "INVALID_CONTEXT"]
            let code = code?.rawValue ?? "GENERAL"
            var members: [String: EncodedFlagValue] = [
                "key": .string(key), "errorCode": .string(known.contains(code) ? code : "GENERAL"),
                "errorDetails": .string(message),
            ]
            if !metadata.isEmpty { members["metadata"] = .object(metadata) }
            return Evaluation(members: members, isFailure: true)
        }
    }
#endif
