#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
import TacklineCore

// Foundation: `Date` is the time of a simulation.

/// A simulation of a flag or a rollout for many subjects, with the actual split beside the expected one.
///
/// ```swift
/// let simulation = RolloutSimulation(of: "reservations", in: definitions, users: 10_000)
/// print(simulation.table)
/// ```
///
/// A rollout that grows over time is simulated at a date:
/// `RolloutSimulation(of: progressive, at: wednesday, users: 10_000)`.
public struct RolloutSimulation: Sendable {
    /// The part of the subjects that got one variant.
    public struct Share: Hashable, Sendable {
        /// The name of the variant; `(no opinion)` and `(error)` stand for subjects that got none.
        public var variant: String
        /// The number of subjects that got the variant.
        public var count: Int
        /// The number of subjects that was expected from the rule's weights, given the subjects' attributes.
        public var expectedCount: Double
    }

    /// The name under which subjects without a value are counted.
    public static let noOpinion = "(no opinion)"
    /// The name under which subjects are counted if the evaluation failed.
    public static let error = "(error)"

    /// The key of the flag.
    public let flagKey: String
    /// The number of subjects that were evaluated.
    public let subjectCount: Int
    /// The split: the variants in the order of their names, and subjects without a value at the end.
    public let shares: [Share]
    /// The date of the simulation; `nil` for the time that the document's rules see.
    public let date: Date?
    /// The problem that the document has no such flag, so that no subject gets a value, with the nearest key; `nil` if
    /// the flag exists.
    public private(set) var problem: FlagDefinitionProblem?

    /// Evaluates a flag of a document for subjects.
    ///
    /// - Complexity: O(*n*) evaluations. For a rule with splits, as many again for each combination of their shares, up
    ///   to 4,096. If there are more combinations, the expected split is estimated from 4,096 random ones.
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
        if let flag {
            self.init(flag, at: date, timestamp: date.map(ProgressiveRollout.seconds), contexts: contexts)
        } else {
            let count = (contexts as? any Collection)?.count ?? contexts.reduce(0) { count, _ in count + 1 }
            self.init(
                flagKey: flagKey, date: date, subjectCount: count, counts: [Self.noOpinion: count],
                expectations: [Self.noOpinion: Double(count)])
        }
        guard flag == nil else { return }
        let keys = definitions.flags.keys.sorted()
        let advice = KeySuggestion(keys).advice(for: flagKey, otherwise: "its flags are \(keys.prefix(10))")
        problem =
            [
                FlagDefinitionProblem(
                    flagKey: flagKey, path: "/flags", message: "the document has no flag \"\(flagKey)\"; \(advice)",
                    severity: .error)
            ].located(in: definitions.document.text).first
    }

    /// Evaluates a flag of a document for a number of synthetic users, whose targeting keys are `user-1`, `user-2` and
    /// so on.
    ///
    /// - Parameters:
    ///   - flagKey: The key of the flag.
    ///   - definitions: The document.
    ///   - date: The time that rules see, to the second; `nil` for that of the document.
    ///   - users: The number of users.
    public init(of flagKey: String, in definitions: FlagDefinitions, at date: Date? = nil, users: Int) {
        self.init(of: flagKey, in: definitions, at: date, contexts: Self.syntheticUsers(users))
    }

    /// Evaluates a rollout for subjects.
    public init(of rollout: PercentageRollout, contexts: some Sequence<EvaluationContext>) {
        self.init(rollout.flag, at: nil, timestamp: nil, contexts: contexts)
    }

    /// Evaluates a rollout for a number of synthetic users, whose targeting keys are `user-1`, `user-2` and so on.
    public init(of rollout: PercentageRollout, users: Int) {
        self.init(of: rollout, contexts: Self.syntheticUsers(users))
    }

    /// Evaluates a rollout that grows over time for subjects, as of a date.
    public init(
        of rollout: ProgressiveRollout, at date: Date = Date(), contexts: some Sequence<EvaluationContext>
    ) {
        self.init(rollout.flag, at: date, timestamp: ProgressiveRollout.seconds(date), contexts: contexts)
    }

    /// Evaluates a rollout that grows over time, as of a date, for a number of synthetic users, whose targeting keys
    /// are `user-1`, `user-2` and so on.
    public init(of rollout: ProgressiveRollout, at date: Date = Date(), users: Int) {
        self.init(of: rollout, at: date, contexts: Self.syntheticUsers(users))
    }

    /// Evaluates weighted variants for subjects.
    public init<Value>(of variants: WeightedVariants<Value>, contexts: some Sequence<EvaluationContext>) {
        self.init(variants.flag, at: nil, timestamp: nil, contexts: contexts) {
            variants.name(of: $0)
        }
    }

    /// Evaluates weighted variants for a number of synthetic users, whose targeting keys are `user-1`, `user-2` and so
    /// on.
    public init<Value>(of variants: WeightedVariants<Value>, users: Int) {
        self.init(of: variants, contexts: Self.syntheticUsers(users))
    }

    /// Evaluates a flag for subjects, and counts them by the names that `rename` makes of the variants.
    private init(
        _ flag: FlagDefinition, at date: Date?, timestamp: Int64?, contexts: some Sequence<EvaluationContext>,
        rename: (String) -> String = { $0 }
    ) {
        var trial = FlagTrial(flag, at: timestamp)
        var tally = EvaluationTally()
        var expectations: [String: Double] = [:]
        var subjectCount = 0
        func add(_ context: EvaluationContext, _ count: Int) {
            subjectCount += count
            tally.add(trial.evaluate(for: context), count: count)
            for (variant, part) in trial.expect(for: context) {
                expectations[variant, default: 0] += part * Double(count)
            }
        }
        if trial.isConstant, let count = (contexts as? any Collection)?.count {
            if count > 0 { add(EvaluationContext(), count) }
        } else {
            for context in contexts { add(context, 1) }
        }
        self.init(
            flagKey: flag.key, date: date, subjectCount: subjectCount,
            counts: Dictionary(tally.counts.map { (rename($0.key), $0.value) }, uniquingKeysWith: +),
            expectations: Dictionary(expectations.map { (rename($0.key), $0.value) }, uniquingKeysWith: +))
    }

    private init(
        flagKey: String, date: Date?, subjectCount: Int, counts: [String: Int], expectations: [String: Double]
    ) {
        let names = Set(counts.keys).union(expectations.filter { $0.value > 0 }.keys)
        self.flagKey = flagKey
        self.subjectCount = subjectCount
        self.date = date
        shares = names.sorted { (Self.isName($0) ? 0 : 1, $0) < (Self.isName($1) ? 0 : 1, $1) }.map {
            Share(variant: $0, count: counts[$0] ?? 0, expectedCount: expectations[$0] ?? 0)
        }
    }

    private static func isName(_ variant: String) -> Bool { variant != noOpinion && variant != error }

    /// Returns the name under which an evaluation is counted.
    static func name(of evaluation: FlagEvaluation) -> String {
        switch evaluation.outcome {
        case .value: evaluation.variant ?? noOpinion
        case .noOpinion: noOpinion
        case .error: error
        }
    }

    /// Returns users with the targeting keys `user-1`, `user-2` and so on, and no attributes.
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

    /// The flag, the number of subjects and the date of the simulation.
    var title: String {
        let moment = date.map {
            // Rules see whole seconds.
            let second = Date(timeIntervalSince1970: Double(ProgressiveRollout.seconds($0)))
            return " at \(EncodedFlagValue.date(second).scriptString ?? "\(second)")"
        }
        return "\(flagKey), \(subjectCount) subjects\(moment ?? "")"
    }
}
