#if OpenFeature
    @preconcurrency public import OpenFeature
    import TacklineCore
    // Dates are `Date`, and bytes become base64.
    import TacklineFoundation
    public import TacklineTargeting

    extension EncodedFlagValue {
        /// Creates the neutral form of a value.
        ///
        /// - Throws: `OpenFeatureError` if it is nested too deeply.
        init(_ value: OpenFeature.Value, depth: Int = 0) throws {
            switch value {
            case .list where depth == EncodedFlagValue.maximumDepth,
                .structure where depth == EncodedFlagValue.maximumDepth:
                throw OpenFeatureError.valueNotConvertableError
            case .null: self = .null
            case .boolean(let bool): self = .bool(bool)
            case .string(let text): self = .string(text)
            case .integer(let integer): self = .integer(Int128(integer))
            case .double(let double): self = .double(double)
            case .date(let date): self = .date(date)
            case .list(let values): self = .array(try values.map { try EncodedFlagValue($0, depth: depth + 1) })
            case .structure(let values):
                self = .object(try values.mapValues { try EncodedFlagValue($0, depth: depth + 1) })
            @unknown default: throw OpenFeatureError.valueNotConvertableError
            }
        }

        init(_ value: MetadataValue) {
            switch value {
            case .boolean(let bool): self = .bool(bool)
            case .string(let text): self = .string(text)
            case .integer(let integer): self = .integer(Int128(integer))
            case .double(let double): self = .double(double)
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
            switch try? Value(value) {
            case .boolean(let bool): self = .boolean(bool)
            case .string(let text): self = .string(text)
            case .integer(let integer): self = .integer(integer)
            case .double(let double): self = .double(double)
            default: return nil
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
                attributes: context.asMap().compactMapValues { try? EncodedFlagValue($0) })
        }
    }

    // The SDK's raw values are the names of its cases. Providers send those, or the words of the specification.
    private let reasons: [(Reason, FlagEvaluation.Reason)] = [
        (.staticReason, .static), (.defaultReason, .default), (.targetingMatch, .targetingMatch), (.split, .split),
        (.cached, .cached), (.disabled, .disabled), (.unknown, .unknown), (.stale, .stale), (.error, .error),
    ]

    extension FlagEvaluation.Reason {
        init(openFeature text: String?) {
            self = reasons.first { $0.0.rawValue == text }?.1 ?? text.map { Self(rawValue: $0) } ?? .unknown
        }

        /// The reason as the SDK writes it.
        var openFeature: String { reasons.first { $0.1 == self }?.0.rawValue ?? rawValue }
    }

    extension FlagEvaluation.ErrorCode {
        static let providerNotReady = FlagEvaluation.ErrorCode(rawValue: "PROVIDER_NOT_READY")

        /// The words of the specification are the names of the SDK's cases in capitals.
        init(_ code: ErrorCode) {
            let name = "\(code)".flatMap { $0.isUppercase ? "_\($0)" : $0.uppercased() }
            self.init(rawValue: String(name))
        }
    }
#endif
