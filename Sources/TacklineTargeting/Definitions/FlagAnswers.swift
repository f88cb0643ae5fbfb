import TacklineCore

/// The evaluations that a flag can give, made once.
struct FlagAnswers: Sendable {
    /// Where there is no rule: the default variant.
    let fixed: FlagEvaluation
    /// Where the rule has nothing to say: the default variant.
    let fallback: FlagEvaluation
    /// The same where the rule has nothing to say because a split had nothing to bucket by.
    let withoutKey: FlagEvaluation
    private let variants: [String]
    private let matches: [FlagEvaluation]
    private let splits: [FlagEvaluation]
    private let positions: [String: Int]
    /// For each constant of the rule, the position of the variant that it names, or -1.
    private let constantPositions: [Int]

    /// A flag has few variants, and then going through them is quicker than hashing.
    private static let searchLimit = 8

    init(
        key: String, variants: [String: EncodedFlagValue], defaultVariant: String?, type: FlagValueType?,
        metadata: [String: EncodedFlagValue], program: RuleProgram?
    ) {
        let constants = program?.constants ?? []
        let fractional = program?.settings.fractional
        func evaluation(_ variant: String, _ reason: FlagResolutionReason) -> FlagEvaluation {
            guard let value = variants[variant] else {
                return .unknownVariant(variant, of: key, variants: variants.keys, metadata: metadata)
            }
            if let type, FlagValueType(value) != type {
                return .mismatch(variant, FlagValueType(value), type, of: key, metadata: metadata)
            }
            return FlagEvaluation(
                flagKey: key, outcome: .value(value), variant: variant, reason: reason, metadata: metadata,
                fractional: reason == .split ? fractional : nil
            )
        }
        let names = variants.keys.sorted()
        self.variants = names
        matches = names.map { evaluation($0, .targetingMatch) }
        splits = names.map { evaluation($0, .split) }
        let byName = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        positions = names.count > Self.searchLimit ? byName : [:]
        constantPositions = constants.map { constant in
            guard case .string(let name) = constant else { return -1 }
            return byName[name] ?? -1
        }
        if let defaultVariant {
            fixed = evaluation(defaultVariant, .static)
            fallback = evaluation(defaultVariant, .default)
        } else {
            fixed = FlagEvaluation(flagKey: key, outcome: .noOpinion, reason: .default, metadata: metadata)
            fallback = fixed
        }
        withoutKey = Self.noting(fallback)
    }

    /// The evaluation with a message that a split on the way had nothing to bucket by.
    func noting(_ answer: FlagEvaluation) -> FlagEvaluation { Self.noting(answer) }

    @inline(never)
    private static func noting(_ answer: FlagEvaluation) -> FlagEvaluation {
        let advice = "give the context what it asks for, or put a condition before it"
        return FlagEvaluation(
            flagKey: answer.flagKey, outcome: answer.outcome, variant: answer.variant, reason: answer.reason,
            errorCode: answer.errorCode,
            message: answer.message
                ?? "Flag \"\(answer.flagKey)\": \"fractional\" was given null to bucket by; \(advice).",
            metadata: answer.metadata, fractional: answer.fractional)
    }

    /// The evaluation for the variant that a constant of the rule names; `nil` where it names none.
    @inline(__always)
    func answer(constant index: Int32, isSplit: Bool) -> FlagEvaluation? {
        let position = constantPositions[Int(index)]
        guard position >= 0 else { return nil }
        return isSplit ? splits[position] : matches[position]
    }

    /// The evaluation for a variant that the rule named; `nil` where there is no such variant.
    func answer(_ variant: String, isSplit: Bool) -> FlagEvaluation? {
        if variants.count > Self.searchLimit {
            return positions[variant].map { isSplit ? splits[$0] : matches[$0] }
        }
        for position in variants.indices where variants[position] == variant {
            return isSplit ? splits[position] : matches[position]
        }
        return nil
    }
}

extension FlagEvaluation {
    static func failure(
        _ code: FlagResolutionErrorCode, _ message: String, of key: String, metadata: [String: EncodedFlagValue]
    ) -> FlagEvaluation {
        FlagEvaluation(
            flagKey: key, outcome: .error, reason: .error, errorCode: code, message: "Flag \"\(key)\": \(message).",
            metadata: metadata
        )
    }

    static func unknownVariant(
        _ variant: String, of key: String, variants: some Sequence<String>, metadata: [String: EncodedFlagValue]
    ) -> FlagEvaluation {
        let names = variants.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
        return .failure(
            .general, "there is no variant \"\(variant)\"; the variants are \(names)", of: key, metadata: metadata
        )
    }

    static func mismatch(
        _ variant: String, _ found: FlagValueType?, _ wanted: FlagValueType, of key: String,
        metadata: [String: EncodedFlagValue]
    ) -> FlagEvaluation {
        .failure(
            .typeMismatch,
            "the variant \"\(variant)\" is of type \(found?.rawValue ?? "null"), but \(wanted.rawValue) is needed",
            of: key, metadata: metadata
        )
    }
}
