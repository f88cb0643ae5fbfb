#if OpenFeature
    @preconcurrency public import OpenFeature
    import TacklineCore
    public import TacklineTargeting

    // Dates are `Date`, and bytes become base64.
    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    // MARK: Values

    extension EncodedFlagValue {
        /// Creates the neutral form of a value; `nil` if it is nested too deeply.
        init?(_ value: OpenFeature.Value, depth: Int = 0) {
            switch value {
            case .null: self = .null
            case .boolean(let bool): self = .bool(bool)
            case .string(let text): self = .string(text)
            case .integer(let integer): self = .integer(Int128(integer))
            case .double(let double): self = .double(double)
            case .date(let date): self = .date(date)
            case .list(let values):
                guard depth < EncodedFlagValue.maximumDepth else { return nil }
                let elements = values.compactMap { EncodedFlagValue($0, depth: depth + 1) }
                guard elements.count == values.count else { return nil }
                self = .array(elements)
            case .structure(let values):
                guard depth < EncodedFlagValue.maximumDepth else { return nil }
                let members = values.compactMapValues { EncodedFlagValue($0, depth: depth + 1) }
                guard members.count == values.count else { return nil }
                self = .object(members)
            @unknown default: return nil
            }
        }

        init(_ value: MetadataValue) {
            switch value {
            case .boolean(let bool): self = .bool(bool)
            case .string(let text): self = .string(text)
            case .integer(let integer): self = .integer(Int128(integer))
            case .double(let double): self = .double(double)
            @unknown default: self = .null
            }
        }
    }

    extension OpenFeature.Value {
        /// Creates the value that OpenFeature has for a neutral form.
        ///
        /// - Throws: `OpenFeatureError` if it has none, as for an integer of more than 64 bits.
        init(_ value: EncodedFlagValue) throws {
            switch value {
            case .null: self = .null
            case .bool(let bool): self = .boolean(bool)
            case .integer(let integer):
                guard let integer = Int64(exactly: integer) else { throw OpenFeatureError.valueNotConvertableError }
                self = .integer(integer)
            case .double(let double): self = .double(double)
            case .string(let text), .unparsed(let text): self = .string(text)
            case .data(let data): self = .string(data.base64EncodedString())
            case .date(let date): self = .date(date)
            case .array(let values): self = .list(try values.map { try Value($0) })
            case .object(let values): self = .structure(try values.mapValues { try Value($0) })
            }
        }
    }

    extension MetadataValue {
        /// Creates the metadata that OpenFeature has for a neutral form; `nil` if it has none.
        init?(_ value: EncodedFlagValue) {
            switch value {
            case .bool(let bool): self = .boolean(bool)
            case .string(let text), .unparsed(let text): self = .string(text)
            case .double(let double): self = .double(double)
            case .integer(let integer):
                guard let integer = Int64(exactly: integer) else { return nil }
                self = .integer(integer)
            case .null, .data, .date, .array, .object: return nil
            }
        }
    }

    extension TacklineTargeting.EvaluationContext {
        /// Creates the context that rules see for a context of OpenFeature. An empty targeting key is none.
        ///
        /// An attribute that is nested more than ``/TacklineCore/EncodedFlagValue/maximumDepth`` levels deep is left out.
        public init(_ context: any OpenFeature.EvaluationContext) {
            let key = context.getTargetingKey()
            self.init(
                targetingKey: key.isEmpty ? nil : key,
                attributes: context.asMap().compactMapValues { EncodedFlagValue($0) })
        }
    }

    // MARK: Reasons and errors

    // The SDK's raw values are the names of its cases. Providers send those, or the words of the specification.
    private let reasons: [(Reason, FlagEvaluation.Reason)] = [
        (.staticReason, .static), (.defaultReason, .default), (.targetingMatch, .targetingMatch), (.split, .split),
        (.cached, .cached), (.disabled, .disabled), (.unknown, .unknown), (.stale, .stale), (.error, .error),
    ]

    extension FlagEvaluation.Reason {
        init(openFeature text: String?) {
            guard let text else { self = .unknown; return }
            self = reasons.first { $0.0.rawValue == text }?.1 ?? FlagEvaluation.Reason(rawValue: text)
        }

        /// The reason as the SDK writes it.
        var openFeature: String { reasons.first { $0.1 == self }?.0.rawValue ?? rawValue }
    }

    extension FlagEvaluation.ErrorCode {
        static let providerNotReady = FlagEvaluation.ErrorCode(rawValue: "PROVIDER_NOT_READY")

        private static let codes: [ErrorCode: String] = [
            .providerNotReady: "PROVIDER_NOT_READY", .flagNotFound: "FLAG_NOT_FOUND", .parseError: "PARSE_ERROR",
            .typeMismatch: "TYPE_MISMATCH", .targetingKeyMissing: "TARGETING_KEY_MISSING",
            .invalidContext: "INVALID_CONTEXT", .providerFatal: "PROVIDER_FATAL",
        ]

        init(_ code: ErrorCode) { self.init(rawValue: Self.codes[code] ?? "GENERAL") }
    }
#endif
