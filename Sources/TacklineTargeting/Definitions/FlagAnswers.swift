import TacklineCore

/// The evaluations that a flag can give, made once.
struct FlagAnswers: Sendable {
    /// The evaluation if there is no rule: the default variant.
    private(set) var fixed: EvaluatedFlag
    /// The evaluation if the rule gives null: the default variant.
    private(set) var fallback: EvaluatedFlag
    /// The variants, in order of their names.
    private let source: EvaluatedFlag.Source
    /// The type that a value must have; `nil` if all values have it.
    private let neededType: FlagValueType?
    private let positions: [String: Int]

    /// The maximum number of variants that are searched in turn, which is faster than hashing for so few.
    private static let searchLimit = 8

    /// The evaluations of a flag with an error, which gives none of them.
    static let none = FlagAnswers(
        key: "", variants: [:], defaultVariant: nil, type: nil, metadata: LayeredMetadata(), fractional: nil)

    init(
        key: String, variants: [String: EncodedFlagValue], defaultVariant: String?, type: FlagValueType?,
        metadata: LayeredMetadata, fractional: FractionalGeneration?
    ) {
        let names = variants.keys.sorted()
        let values = names.map { variants[$0] ?? .null }
        source = EvaluatedFlag.Source(
            flagKey: key, metadata: metadata, fractional: fractional, names: names, values: values)
        neededType = type.flatMap { type in values.allSatisfy { FlagValueType($0) == type } ? nil : type }
        let isSearched = names.count > Self.searchLimit
        positions =
            isSearched ? Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) }) : [:]
        fixed = EvaluatedFlag(source, position: 0, cause: .static)
        fallback = fixed
        guard let defaultVariant else {
            fixed = EvaluatedFlag(flagKey: key, reason: .default, metadata: metadata)
            fallback = fixed
            return
        }
        fixed = evaluation(defaultVariant, .static)
        fallback = evaluation(defaultVariant, .default)
    }

    /// The names of the variants, in order.
    var variants: [String] { source.names }

    /// The values by the names of the variants.
    var values: [String: EncodedFlagValue] { Dictionary(uniqueKeysWithValues: zip(source.names, source.values)) }

    private func position(of variant: String) -> Int? {
        if !positions.isEmpty { return positions[variant] }
        return source.names.firstIndex(of: variant)
    }

    private func evaluation(_ variant: String, _ cause: EvaluatedFlag.Cause) -> EvaluatedFlag {
        guard let position = position(of: variant) else {
            return .unknownVariant(variant, of: source.flagKey, variants: variants, metadata: source.metadata)
        }
        return answer(at: position, cause)
    }

    @inline(__always)
    private func answer(at position: Int, _ cause: EvaluatedFlag.Cause) -> EvaluatedFlag {
        if let neededType, FlagValueType(source.values[position]) != neededType {
            return mismatch(position, neededType)
        }
        return EvaluatedFlag(source, position: position, cause: cause)
    }

    @inline(never)
    private func mismatch(_ position: Int, _ type: FlagValueType) -> EvaluatedFlag {
        .mismatch(
            source.names[position], FlagValueType(source.values[position]), type, of: source.flagKey,
            metadata: source.metadata)
    }

    /// Returns an evaluation with a message that a split had nothing to bucket by.
    @inline(never)
    static func noting(_ answer: EvaluatedFlag) -> EvaluatedFlag {
        let advice = "give the context what it asks for, or put a condition before it"
        return EvaluatedFlag(
            flagKey: answer.flagKey, value: answer.value, variant: answer.variant, reason: answer.reason,
            errorCode: answer.errorCode,
            message: answer.message
                ?? "Flag \"\(answer.flagKey)\": \"fractional\" was given null to bucket by; \(advice).",
            metadata: answer.metadata, fractional: answer.fractional)
    }

    /// Returns the evaluation for a variant that the rule named; `nil` if there is no such variant.
    func answer(_ variant: String, isSplit: Bool) -> EvaluatedFlag? {
        position(of: variant).map { answer(at: $0, isSplit ? .split : .match) }
    }

    /// Returns whether there is a variant with a name.
    func has(_ variant: String) -> Bool { position(of: variant) != nil }
}

extension EvaluatedFlag {
    static func failure(
        _ code: FlagEvaluation.ErrorCode, _ message: String, of key: String, metadata: LayeredMetadata
    ) -> EvaluatedFlag {
        EvaluatedFlag(
            flagKey: key, reason: .error, errorCode: code, message: "Flag \(key.quoted): \(message).",
            metadata: metadata)
    }

    static func unknownVariant(
        _ variant: String, of key: String, variants: [String], metadata: LayeredMetadata
    ) -> EvaluatedFlag {
        return .failure(
            .general, "there is no variant \(variant.quoted); the variants are \(FlagDefinition.list(variants[...]))",
            of: key,
            metadata: metadata)
    }

    static func mismatch(
        _ variant: String, _ found: FlagValueType?, _ wanted: FlagValueType, of key: String,
        metadata: LayeredMetadata
    ) -> EvaluatedFlag {
        .failure(
            .typeMismatch,
            "the variant \(variant.quoted) is of type \(found?.rawValue ?? "null"), but \(wanted.rawValue) is needed",
            of: key, metadata: metadata
        )
    }
}
