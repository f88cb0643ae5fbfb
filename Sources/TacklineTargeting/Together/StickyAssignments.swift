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
    static let name = "tackline.sticky"
    private let store: any WritableFlagProvider

    /// Keeps assignments in a writable provider, under `tackline.sticky` and keys made of the flag's and the subject's.
    /// The provider need not be in any loader's chain.
    public init(in store: any WritableFlagProvider) { self.store = store }

    /// Returns the place of the variant that is kept; `nil` if none is to be kept.
    private func path(_ flag: FlagDefinition, _ context: EvaluationContext) -> FlagKeyPath? {
        guard flag.isSticky, let subject = context.targetingKey, !subject.isEmpty else { return nil }
        return FlagKeyPath(components: [Self.name, "\(flag.key): \(subject)"])
    }

    /// Returns the variant of a flag that is kept for the subject; `nil` if none is kept or the flag has it no more.
    func variant(of flag: FlagDefinition, for context: EvaluationContext) -> String? {
        guard let path = path(flag, context), case .string(let variant)? = store.value(for: path),
            flag.value(of: variant) != nil
        else { return nil }
        return variant
    }

    /// Writes the variant that a split gave to the store, unless it is kept already.
    ///
    /// - Returns: An issue if that failed; `nil` otherwise.
    func keep(_ variant: String, of flag: FlagDefinition, for context: EvaluationContext) -> FlagError? {
        guard let path = path(flag, context), store.value(for: path) != .string(variant) else { return nil }
        do {
            try store.setValue(.string(variant), for: path)
            return nil
        } catch {
            return FlagError(
                .failedEvaluation,
                """
                The variant "\(variant)" of flag "\(flag.key)" could not be kept for its subject, who may get another one \
                when the document changes. \(FlagError(error, provider: store.name, key: path).message)
                """,
                key: FlagKeyPath(flag.key), provider: store.name)
        }
    }
}
