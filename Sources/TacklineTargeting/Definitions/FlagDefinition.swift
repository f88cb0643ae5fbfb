package import TacklineCore

/// One flag of a document, compiled. Immutable, and shared by every copy of its document.
package final class FlagDefinition: Sendable {
    package let key: String
    /// Whether the flag's state is `ENABLED`; a disabled flag has no opinion.
    package let isEnabled: Bool
    /// The values that the flag can have, by the names of the variants.
    package let variants: [String: EncodedFlagValue]
    /// The variant for subjects to whom the rule gives none; `nil` leaves them to the next provider.
    package let defaultVariant: String?
    /// The flag's own metadata, without those of the document.
    package let metadata: [String: EncodedFlagValue]
    /// The error that the flag gives unless it is disabled; `nil` for a flag that works.
    package let error: FlagDefinitionProblem?
    package let path: [String]
    /// Whether the variants that splits give are kept for their subjects.
    let isSticky: Bool

    /// The variants of other flags that the flag requires. If one is not given, the flag has no value.
    let prerequisites: [Prerequisite]
    let rule: CompiledRule?
    /// The number of steps that one evaluation may take, with those of the flags that it requires.
    let maximumSteps: Int
    /// The type of the default variant, or else the one that all variants have; `nil` if they have several.
    let valueType: FlagValueType?
    /// Whether the flag is evaluated: it is enabled and has no error.
    let isUsable: Bool
    /// The variants of a flag that has a few of them, which are searched in turn: that is faster than hashing.
    private let few: [(name: String, value: EncodedFlagValue)]

    init(
        key: String, isEnabled: Bool = true, variants: [String: EncodedFlagValue] = [:], defaultVariant: String? = nil,
        metadata: [String: EncodedFlagValue] = [:], error: FlagDefinitionProblem? = nil, path: [String] = [],
        isSticky: Bool = false, prerequisites: [Prerequisite] = [], rule: CompiledRule? = nil,
        maximumSteps: Int = RuleLimits.steps
    ) {
        self.key = key
        self.isEnabled = isEnabled
        self.variants = variants
        self.defaultVariant = defaultVariant
        self.metadata = metadata
        self.error = error
        self.path = path
        self.isSticky = isSticky
        self.prerequisites = prerequisites
        self.rule = rule
        self.maximumSteps = maximumSteps
        few = variants.count <= 8 ? variants.map { ($0.key, $0.value) } : []
        isUsable = isEnabled && error == nil
        if let value = defaultVariant.flatMap({ variants[$0] }) {
            valueType = FlagValueType(value)
        } else {
            let types = Set(variants.values.map { FlagValueType($0) })
            valueType = types.count == 1 ? types.first ?? nil : nil
        }
    }

    /// The rule as it stands in the document; `nil` if there is none or it is empty.
    ///
    /// - Complexity: O(*n*) in the size of the rule, at each access.
    package var targeting: EncodedFlagValue? { rule?.root.json }

    /// Returns the value of a variant; `nil` if the flag doesn't have it.
    func value(of variant: String) -> EncodedFlagValue? {
        guard variant.utf8.count <= VariablePath.nameLimit else { return nil }
        if few.isEmpty { return variants[variant] }
        return few.first { $0.name == variant }?.value
    }

    /// Twenty names of variants in quotation marks, as messages list them.
    var variantList: String {
        variants.keys.prefix(20).sorted().map(\.quoted).joined(separator: ", ") + (variants.count > 20 ? ", …" : "")
    }
}

/// The JSON type of a flag's values. All variants of a flag have one type.
enum FlagValueType: String {
    case boolean
    /// Whole numbers and fractions are one type, as in JSON.
    case number
    case string
    case object
    /// flagd's schema has no such flags, but its evaluators accept them.
    case array

    /// Creates the type that a value has in JSON; `nil` for null.
    init?(_ value: EncodedFlagValue) {
        switch value {
        case .null: return nil
        case .bool: self = .boolean
        case .integer, .double: self = .number
        case .string, .unparsed, .data, .date: self = .string
        case .array: self = .array
        case .object: self = .object
        }
    }
}

/// An evaluator of flags with the flags that they require.
struct FlagEvaluator {
    /// The variants that are kept for subjects, also if another flag requires them; `nil` for none.
    var sticky: StickyAssignments?
    /// The variants so far, if all flags are evaluated in order for one subject, each after those that it requires.
    var known: [ObjectIdentifier: String?]?

    /// Returns the evaluation of a flag, without the metadata of its document: a value, no opinion, or an error.
    func evaluate(_ flag: FlagDefinition, for context: EvaluationContext) -> FlagEvaluation {
        var steps = flag.maximumSteps
        return evaluate(flag, for: context, &steps)
    }

    /// - Parameter steps: The steps that remain for the flag and the flags that it requires.
    private func evaluate(
        _ flag: FlagDefinition, for context: EvaluationContext, _ steps: inout Int
    ) -> FlagEvaluation {
        if !flag.isUsable {
            if flag.isEnabled, let error = flag.error { return failure(.parseError, error.description, of: flag) }
            return FlagEvaluation(value: nil, reason: .disabled, metadata: flag.metadata)
        }
        for need in flag.prerequisites {
            steps -= 10
            let variant = known?[ObjectIdentifier(need.flag)] ?? evaluate(need.flag, for: context, &steps).variant
            if steps < 0 { return failure(.general, RuleFailure.tooManySteps.message, of: flag) }
            if variant != need.variant {
                return FlagEvaluation(value: nil, reason: .disabled, metadata: flag.metadata)
            }
        }
        guard let rule = flag.rule else { return answer(flag.defaultVariant, .static, of: flag) }
        var evaluation = RuleEvaluation(rule: rule, context: context, remainingSteps: steps)
        var variant: String?
        do {
            variant = try evaluation.variant()
            steps = evaluation.remainingSteps
        } catch {
            steps = evaluation.remainingSteps
            return failure(.general, (error as? RuleFailure ?? .tooManySteps).message, of: flag)
        }
        var reason = FlagEvaluation.Reason.targetingMatch
        if variant == nil {
            (variant, reason) = (flag.defaultVariant, .default)
        } else if evaluation.isSplit {
            reason = .split
            if flag.isSticky, let kept = sticky?.variant(of: flag, for: context) { variant = kept }
        }
        return answer(variant, reason, hadNoKey: evaluation.hadNoKey, of: flag)
    }

    /// Returns the evaluation that gives a variant, or no opinion without one.
    ///
    /// - Parameter hadNoKey: Whether a split was given null to bucket by.
    private func answer(
        _ variant: String?, _ reason: FlagEvaluation.Reason, hadNoKey: Bool = false, of flag: FlagDefinition
    ) -> FlagEvaluation {
        var message: String?
        if hadNoKey {
            message = """
                Flag \(flag.key.quoted): "fractional" was given null to bucket by; give the context what it asks for, or \
                put a condition before it.
                """
        }
        guard let variant else {
            return FlagEvaluation(value: nil, reason: .default, metadata: flag.metadata, errorMessage: message)
        }
        guard let value = flag.value(of: variant) else {
            return failure(
                .general, "there is no variant \(variant.quoted); the variants are \(flag.variantList)", of: flag)
        }
        if let wanted = flag.valueType, FlagValueType(value) != wanted {
            let type = FlagValueType(value)?.rawValue ?? "null"
            let message = "the variant \(variant.quoted) is of type \(type), but \(wanted.rawValue) is needed"
            return failure(.typeMismatch, message, of: flag)
        }
        let generation = reason == .split ? flag.rule?.settings.fractional : nil
        // Made in one step: to change it would copy it.
        return FlagEvaluation(
            value: value, variant: variant, reason: reason, metadata: flag.metadata, errorMessage: message,
            note: generation.map { $0 == .v2 ? "fractional v2" : "fractional v3" })
    }

    private func failure(
        _ code: FlagEvaluation.ErrorCode, _ message: String, of flag: FlagDefinition
    ) -> FlagEvaluation {
        FlagEvaluation(
            value: nil, reason: .error, metadata: flag.metadata, errorCode: code,
            errorMessage: "Flag \(flag.key.quoted): \(message).")
    }
}
