#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
import TacklineCore

// Foundation: `Date` says as of when something is tried.

/// Tries a flag or a rollout on many subjects, and shows the split beside the one that was to be expected.
///
/// ```swift
/// let simulation = RolloutSimulation(of: "reservations", in: definitions, users: 10_000)
/// print(simulation.table)
/// ```
///
/// What grows over time is tried as of a moment: `RolloutSimulation(of: progressive, at: wednesday, users: 10_000)`.
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
    /// As of when they were tried; `nil` for the time that the document's rules see.
    public let date: Date?
    /// Says that the document has no such flag, so that nobody gets a value, and suggests the nearest key; `nil` otherwise.
    public private(set) var problem: FlagDefinitionProblem?

    /// Tries a flag of a document on subjects.
    ///
    /// - Complexity: O(*n*) evaluations, and for a rule with splits as many again for each way through them, at most 4,096.
    ///   Where there are more ways, the expected split is estimated from as many random ones.
    ///
    /// - Parameters:
    ///   - flagKey: The key of the flag.
    ///   - definitions: The document.
    ///   - date: The time that rules see, to the second; `nil` for that of the document.
    ///   - contexts: The subjects.
    public init(
        of flagKey: String, in definitions: FlagDefinitions, at date: Date? = nil,
        contexts: some Sequence<EvaluationContext>
    ) {
        let flag = definitions.flag(flagKey)
        let timestamp = date.map(ProgressiveRollout.seconds)
        self.init(flagKey: flagKey, date: date, contexts: contexts) { context in
            flag.map { Self.name(of: $0.evaluate(for: context, at: timestamp)) } ?? Self.noOpinion
        } expected: { context in
            flag?.expectedVariants(for: context, at: timestamp) ?? [(Self.noOpinion, 1)]
        }
        guard flag == nil else { return }
        let keys = definitions.flags.keys.sorted()
        let advice = KeySuggestion(keys).advice(for: flagKey, otherwise: "its flags are \(keys.prefix(10))")
        problem =
            [
                FlagDefinitionProblem(
                    flagKey: flagKey, path: "/flags", message: "the document has no flag \"\(flagKey)\"; \(advice)",
                    severity: .error)
            ].located(in: definitions.source).first
    }

    /// Tries a flag of a document on as many synthetic users, whose targeting keys are `user-1`, `user-2` and so on.
    ///
    /// - Parameters:
    ///   - flagKey: The key of the flag.
    ///   - definitions: The document.
    ///   - date: The time that rules see, to the second; `nil` for that of the document.
    ///   - users: How many.
    public init(of flagKey: String, in definitions: FlagDefinitions, at date: Date? = nil, users: Int) {
        self.init(of: flagKey, in: definitions, at: date, contexts: Self.syntheticUsers(users))
    }

    /// Tries a rollout on subjects.
    public init(of rollout: PercentageRollout, contexts: some Sequence<EvaluationContext>) {
        self.init(flagKey: rollout.flagKey, contexts: contexts) { context in
            Self.name(of: rollout.evaluate(for: context))
        } expected: { context in
            rollout.flag.expectedVariants(for: context)
        }
    }

    /// Tries a rollout on as many synthetic users, whose targeting keys are `user-1`, `user-2` and so on.
    public init(of rollout: PercentageRollout, users: Int) {
        self.init(of: rollout, contexts: Self.syntheticUsers(users))
    }

    /// Tries a rollout that grows over time on subjects, as of a moment.
    public init(
        of rollout: ProgressiveRollout, at date: Date = Date(), contexts: some Sequence<EvaluationContext>
    ) {
        let timestamp = ProgressiveRollout.seconds(date)
        self.init(flagKey: rollout.flagKey, date: date, contexts: contexts) { context in
            Self.name(of: rollout.flag.evaluate(for: context, at: timestamp))
        } expected: { context in
            rollout.flag.expectedVariants(for: context, at: timestamp)
        }
    }

    /// Tries a rollout that grows over time, as of a moment, on as many synthetic users, whose targeting keys are `user-1`,
    /// `user-2` and so on.
    public init(of rollout: ProgressiveRollout, at date: Date = Date(), users: Int) {
        self.init(of: rollout, at: date, contexts: Self.syntheticUsers(users))
    }

    /// Tries weighted variants on subjects.
    public init<Value>(of variants: WeightedVariants<Value>, contexts: some Sequence<EvaluationContext>) {
        self.init(flagKey: variants.flagKey, contexts: contexts) { context in
            variants.name(for: context)
        } expected: { context in
            variants.expectedNames(for: context)
        }
    }

    /// Tries weighted variants on as many synthetic users, whose targeting keys are `user-1`, `user-2` and so on.
    public init<Value>(of variants: WeightedVariants<Value>, users: Int) {
        self.init(of: variants, contexts: Self.syntheticUsers(users))
    }

    private init(
        flagKey: String, date: Date? = nil, contexts: some Sequence<EvaluationContext>,
        actual: (EvaluationContext) -> String, expected: (EvaluationContext) -> [(String, Double)]
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
        self.date = date
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

extension RolloutSimulation {
    /// The split as lines of text in columns, for a terminal.
    ///
    /// ```text
    /// reservations, 10000 subjects
    /// variant  subjects    share  expected
    /// off          9013  90.13 %   90.00 %
    /// on            987   9.87 %   10.00 %
    /// ```
    public var table: String {
        var table = TextTable(header: ["variant", "subjects", "share", "expected"])
        for share in shares {
            let total = Double(max(1, subjectCount))
            table.add([
                share.variant, String(share.count), TextTable.percentage(Double(share.count) / total),
                TextTable.percentage(share.expectedCount / total),
            ])
        }
        let warning = problem.map { "\($0)\n" } ?? ""
        return "\(title)\n" + warning + table.text
    }

    /// What was tried, on how many, and as of when.
    var title: String {
        let moment = date.map {
            // Rules see whole seconds.
            let second = Date(timeIntervalSince1970: Double(ProgressiveRollout.seconds($0)))
            return " at \(EncodedFlagValue.date(second).scriptString ?? "\(second)")"
        }
        return "\(flagKey), \(subjectCount) subjects\(moment ?? "")"
    }
}
