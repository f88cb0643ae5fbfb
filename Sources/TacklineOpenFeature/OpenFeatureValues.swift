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

    /// The type in which OpenFeature is asked for a flag.
    enum OpenFeatureType: Sendable {
        case boolean, string, integer, double, object

        /// Returns the types of the flags of some collections, by their keys.
        static func all(in collections: [any FlagCollectionProtocol.Type]) -> [String: OpenFeatureType] {
            func flags<Collection: FlagCollectionProtocol>(of type: Collection.Type) -> [AnyFlagHandle] {
                FlagProbe<Collection>.flags
            }
            let types = collections.flatMap { flags(of: $0) }.map { ($0.keyPath.text, OpenFeatureType($0.valueType)) }
            return Dictionary(types) { first, _ in first }
        }

        private init(_ type: any FlagValue.Type) {
            if let optional = type as? any WrappingFlagValue.Type { self = OpenFeatureType(optional.wrapped); return }
            if let raw = (type as? any RawRepresentable.Type)?.rawType { self = OpenFeatureType(raw); return }
            self =
                switch type {
                case is Bool.Type: .boolean
                case is any BinaryInteger.Type: .integer
                case is any BinaryFloatingPoint.Type: .double
                case is String.Type, is URL.Type, is UUID.Type, is Date.Type, is Data.Type: .string
                default: .object
                }
        }
    }

    extension RawRepresentable {
        fileprivate static var rawType: (any FlagValue.Type)? { RawValue.self as? any FlagValue.Type }
    }

    private protocol WrappingFlagValue {
        static var wrapped: any FlagValue.Type { get }
    }

    extension Optional: WrappingFlagValue where Wrapped: FlagValue {
        fileprivate static var wrapped: any FlagValue.Type { Wrapped.self }
    }

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
            case .data(let data): self = .string(EncodedFlagValue.text(of: data))
            case .date(let date): self = .date(date)
            case .array(let values): self = .list(try values.map { try Value($0) })
            case .object(let values): self = .structure(try values.mapValues { try Value($0) })
            }
        }
    }

    extension EncodedFlagValue {
        /// Returns the text that OpenFeature has for bytes: base64.
        static func text(of data: Data) -> String { data.base64EncodedString() }
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

        init(_ code: ErrorCode) {
            switch code {
            case .providerNotReady: self = .providerNotReady
            case .flagNotFound: self = .flagNotFound
            case .parseError: self = .parseError
            case .typeMismatch: self = .typeMismatch
            case .targetingKeyMissing: self = FlagEvaluation.ErrorCode(rawValue: "TARGETING_KEY_MISSING")
            case .invalidContext: self = FlagEvaluation.ErrorCode(rawValue: "INVALID_CONTEXT")
            case .providerFatal: self = FlagEvaluation.ErrorCode(rawValue: "PROVIDER_FATAL")
            case .general: self = .general
            @unknown default: self = .general
            }
        }
    }

    // MARK: Evaluations

    /// A type of OpenFeature's flags, with the provider's method for it.
    protocol EvaluatedValue: AllowedFlagValueType {
        static func evaluate(
            _ key: String, _ fallback: Self, _ context: (any OpenFeature.EvaluationContext)?,
            by provider: any FeatureProvider
        ) throws -> ProviderEvaluation<Self>
    }

    extension Bool: EvaluatedValue {
        static func evaluate(
            _ key: String, _ fallback: Bool, _ context: (any OpenFeature.EvaluationContext)?,
            by provider: any FeatureProvider
        ) throws -> ProviderEvaluation<Bool> {
            try provider.getBooleanEvaluation(key: key, defaultValue: fallback, context: context)
        }
    }

    extension String: EvaluatedValue {
        static func evaluate(
            _ key: String, _ fallback: String, _ context: (any OpenFeature.EvaluationContext)?,
            by provider: any FeatureProvider
        ) throws -> ProviderEvaluation<String> {
            try provider.getStringEvaluation(key: key, defaultValue: fallback, context: context)
        }
    }

    extension Int64: EvaluatedValue {
        static func evaluate(
            _ key: String, _ fallback: Int64, _ context: (any OpenFeature.EvaluationContext)?,
            by provider: any FeatureProvider
        ) throws -> ProviderEvaluation<Int64> {
            try provider.getIntegerEvaluation(key: key, defaultValue: fallback, context: context)
        }
    }

    extension Double: EvaluatedValue {
        static func evaluate(
            _ key: String, _ fallback: Double, _ context: (any OpenFeature.EvaluationContext)?,
            by provider: any FeatureProvider
        ) throws -> ProviderEvaluation<Double> {
            try provider.getDoubleEvaluation(key: key, defaultValue: fallback, context: context)
        }
    }

    extension OpenFeature.Value: EvaluatedValue {
        static func evaluate(
            _ key: String, _ fallback: Value, _ context: (any OpenFeature.EvaluationContext)?,
            by provider: any FeatureProvider
        ) throws -> ProviderEvaluation<Value> {
            try provider.getObjectEvaluation(key: key, defaultValue: fallback, context: context)
        }
    }
#endif
