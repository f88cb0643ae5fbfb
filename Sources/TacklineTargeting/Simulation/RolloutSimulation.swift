import TacklineCore

/// Tries a flag or a rollout on many subjects, and shows the split beside the one that was to be expected.
///
/// ```swift
/// let simulation = RolloutSimulation(of: "reservations", in: definitions, users: 10_000)
/// print(simulation.table)
/// ```
public struct RolloutSimulation: Sendable {
    /// What part of the subjects got one variant.
    public struct Share: Hashable, Sendable {
        /// The name of the variant; `(no opinion)` and `(error)` stand for subjects that got none.
        public var variant: String
        /// How many subjects got it.
        public var count: Int
        /// How many were to be expected from the rule's weights, given the subjects' attributes.
        public var expectedCount: Double
    }

    /// The name under which the subjects without a value are counted.
    public static let noOpinion = "(no opinion)"
    /// The name under which the subjects are counted for whom the evaluation failed.
    public static let error = "(error)"

    /// The key of the flag.
    public let flagKey: String
    /// How many subjects were tried.
    public let subjectCount: Int
    /// The split, the variants in the order of their names and those without a value at the end.
    public let shares: [Share]

    /// Tries a flag of a document on subjects.
    ///
    /// - Complexity: O(*n*) evaluations, and for a rule with splits as many again for each way through them (at most 64).
    public init(of flagKey: String, in definitions: FlagDefinitions, contexts: some Sequence<EvaluationContext>) {
        self.init(flagKey: flagKey, contexts: contexts) { context in
            Self.name(of: definitions.evaluate(flagKey, for: context))
        } expected: { context in
            definitions.flags[flagKey]?.expectedVariants(for: context) ?? [(Self.noOpinion, 1)]
        }
    }

    /// Tries a flag of a document on as many synthetic users, whose targeting keys are `user-1`, `user-2` and so on.
    public init(of flagKey: String, in definitions: FlagDefinitions, users: Int) {
        self.init(of: flagKey, in: definitions, contexts: Self.syntheticUsers(users))
    }

    /// Tries a rollout on subjects.
    public init(of rollout: PercentageRollout, contexts: some Sequence<EvaluationContext>) {
        let part = Double(rollout.percentage) / 100
        self.init(flagKey: rollout.flagKey, contexts: contexts) { context in
            Self.name(of: rollout.evaluate(for: context))
        } expected: { context in
            rollout.evaluate(for: context).reason == .split ? [("on", part), ("off", 1 - part)] : [("off", 1)]
        }
    }

    /// Tries a rollout on as many synthetic users, whose targeting keys are `user-1`, `user-2` and so on.
    public init(of rollout: PercentageRollout, users: Int) {
        self.init(of: rollout, contexts: Self.syntheticUsers(users))
    }

    /// Tries weighted variants on subjects.
    public init<Value>(of variants: WeightedVariants<Value>, contexts: some Sequence<EvaluationContext>) {
        let expected = zip(variants.variants.map(\.name), variants.expectedParts).map { ($0, $1) }
        self.init(flagKey: variants.flagKey, contexts: contexts) { context in
            variants.name(for: context)
        } expected: { context in
            variants.variant(for: context) == nil ? [(Self.noOpinion, 1)] : expected
        }
    }

    /// Tries weighted variants on as many synthetic users, whose targeting keys are `user-1`, `user-2` and so on.
    public init<Value>(of variants: WeightedVariants<Value>, users: Int) {
        self.init(of: variants, contexts: Self.syntheticUsers(users))
    }

    private init(
        flagKey: String, contexts: some Sequence<EvaluationContext>, actual: (EvaluationContext) -> String,
        expected: (EvaluationContext) -> [(String, Double)]
    ) {
        var counts: [String: Int] = [:]
        var expectations: [String: Double] = [:]
        var subjectCount = 0
        for context in contexts {
            subjectCount += 1
            counts[actual(context), default: 0] += 1
            for (variant, part) in expected(context) { expectations[variant, default: 0] += part }
        }
        let names = Set(counts.keys).union(expectations.filter { $0.value > 0 }.keys)
        self.flagKey = flagKey
        self.subjectCount = subjectCount
        shares = names.sorted { (Self.isName($0) ? 0 : 1, $0) < (Self.isName($1) ? 0 : 1, $1) }.map {
            Share(variant: $0, count: counts[$0] ?? 0, expectedCount: expectations[$0] ?? 0)
        }
    }

    private static func isName(_ variant: String) -> Bool { variant != noOpinion && variant != error }

    /// The name under which an evaluation is counted.
    static func name(of evaluation: FlagEvaluation) -> String {
        switch evaluation.outcome {
        case .value: evaluation.variant ?? noOpinion
        case .noOpinion: noOpinion
        case .error: error
        }
    }

    /// Users with the targeting keys `user-1`, `user-2` and so on, and no attributes.
    public static func syntheticUsers(_ count: Int) -> some Sequence<EvaluationContext> {
        (0..<max(0, count)).lazy.map { EvaluationContext(targetingKey: "user-\($0 + 1)", attributes: [:]) }
    }
}
