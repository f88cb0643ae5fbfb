public import TacklineCore

/// A store that keeps subjects in the variants that splits first gave them, while the document changes.
///
/// ```swift
/// let kept = LocalProvider(file: file, name: "assignments")
/// let rules = DefinitionsProvider(definitions, context: .current(context), sticky: StickyAssignments(in: kept))
/// ```
///
/// It applies to flags with the metadata `"tackline.sticky": true`, which other evaluators ignore. The first variant
/// that a split gives a targeting key is written to the store. The key gets it from then on, whatever the weights are,
/// as long as a split decides and the flag has the variant. A variant that a condition names is not affected, and
/// neither is a flag that is disabled or lacks the metadata.
///
/// Use it for the single context of an app. A provider that evaluates for each task has many subjects, and writes
/// nothing.
public struct StickyAssignments: Sendable {
    /// The name of the metadata's member that makes a flag sticky.
    static let name = "tackline.sticky"
    private let store: any WritableFlagProvider

    /// Keeps assignments in a writable provider, under `tackline.sticky` and keys made of the flag's and the subject's.
    /// The provider need not be in any loader's chain.
    public init(in store: any WritableFlagProvider) {
        self.store = store
    }

    private func path(_ evaluation: EvaluatedFlag, _ subject: String) -> FlagKeyPath {
        FlagKeyPath(components: [Self.name, "\(evaluation.flagKey): \(subject)"])
    }

    /// Returns whether a flag's evaluation is to be kept.
    private func isSticky(_ evaluation: EvaluatedFlag) -> Bool {
        evaluation.reason == .split && evaluation.metadata[Self.name] == .bool(true)
    }

    /// Returns the evaluation with the variant that is kept for the subject, or the given one if none is kept.
    func kept(_ evaluation: EvaluatedFlag, of flag: FlagDefinition, for context: EvaluationContext) -> EvaluatedFlag {
        guard isSticky(evaluation), let subject = context.targetingKey, !subject.isEmpty,
            case .string(let variant)? = store.value(for: path(evaluation, subject)),
            let answer = flag.answers.answer(variant, isSplit: true)
        else { return evaluation }
        return answer
    }

    /// Writes an evaluation's variant to the store, unless it is kept already.
    ///
    /// - Returns: An issue if that failed; `nil` otherwise.
    func keep(_ evaluation: EvaluatedFlag, for context: EvaluationContext) -> FlagError? {
        guard isSticky(evaluation), let subject = context.targetingKey, !subject.isEmpty,
            let variant = evaluation.variant
        else { return nil }
        let path = path(evaluation, subject)
        guard store.value(for: path) != .string(variant) else { return nil }
        do {
            try store.setValue(.string(variant), for: path)
            return nil
        } catch {
            return FlagError(
                .failedEvaluation,
                """
                The variant "\(variant)" of flag "\(evaluation.flagKey)" could not be kept for its subject, who may get \
                another one when the document changes. \(FlagError(error, provider: store.name, key: path).message)
                """,
                key: FlagKeyPath(evaluation.flagKey), provider: store.name)
        }
    }
}
