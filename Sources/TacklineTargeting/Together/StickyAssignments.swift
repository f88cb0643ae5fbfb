public import TacklineCore

/// Keeps subjects in the variants that splits first gave them, while the document changes.
///
/// ```swift
/// let kept = LocalProvider(name: "assignments", localURL: file)
/// let rules = DefinitionsProvider(definitions, context: .current(context), sticky: StickyAssignments(in: kept))
/// ```
///
/// It concerns the flags whose metadata say `"tackline.sticky": true`, which other evaluators ignore. The first variant that a
/// split gives a targeting key is written to the store, and given to it from then on, whatever the weights are, as long as a
/// split decides at all and the flag has the variant. A variant that a condition names is given as it is, and so is what a
/// disabled flag, or one without the metadata, answers.
///
/// For the one context of an app. A provider that evaluates for each task has many subjects, and writes nothing.
public struct StickyAssignments: Sendable {
    /// The name under which flags say that they are sticky.
    static let name = "tackline.sticky"
    private let store: any WritableFlagProvider

    /// Keeps assignments in a provider that is writable, under `tackline.sticky` and keys made of the flag's and the
    /// subject's. It need not be in any loader's chain.
    public init(in store: any WritableFlagProvider) {
        self.store = store
    }

    private func path(_ evaluation: FlagEvaluation, _ subject: String) -> FlagKeyPath {
        FlagKeyPath(components: [Self.name, "\(evaluation.flagKey): \(subject)"])
    }

    /// Whether a flag's evaluation is one to keep.
    private func isSticky(_ evaluation: FlagEvaluation) -> Bool {
        evaluation.reason == .split && evaluation.metadata[Self.name] == .bool(true)
    }

    /// The evaluation with the variant that is kept for the subject, or the given one if none is.
    func kept(_ evaluation: FlagEvaluation, of flag: FlagDefinition, for context: EvaluationContext) -> FlagEvaluation {
        guard isSticky(evaluation), let subject = context.targetingKey, !subject.isEmpty,
            case .string(let variant)? = store.value(for: path(evaluation, subject)),
            let answer = flag.answers.answer(variant, isSplit: true)
        else { return evaluation }
        return answer
    }

    /// Keeps an evaluation, unless one is kept.
    ///
    /// - Returns: What went wrong; `nil` if nothing did.
    func keep(_ evaluation: FlagEvaluation, for context: EvaluationContext) -> FlagIssue? {
        guard isSticky(evaluation), let subject = context.targetingKey, !subject.isEmpty,
            let variant = evaluation.variant
        else { return nil }
        let path = path(evaluation, subject)
        guard store.value(for: path) != .string(variant) else { return nil }
        do throws(FlagProviderError) {
            try store.setValue(.string(variant), for: path)
            return nil
        } catch {
            return FlagIssue(
                .failedEvaluation,
                message: """
                    The variant "\(variant)" of flag "\(evaluation.flagKey)" could not be kept for who got it: \(error) The \
                    subject may get another variant when the document changes.
                    """,
                key: FlagKeyPath(evaluation.flagKey), provider: store.name)
        }
    }
}
