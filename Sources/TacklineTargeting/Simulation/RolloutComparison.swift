/// What changes for whom between two versions of a flag or a rollout.
///
/// ```swift
/// let change = RolloutComparison(
///     from: PercentageRollout(10, of: "reservations"),
///     to: PercentageRollout(50, of: "reservations"), users: 10_000
/// )
/// change.leaving("on")   // 0: nobody loses what they had
/// ```
public struct RolloutComparison: Sendable {
    /// The subjects that go from one variant to another.
    public struct Move: Hashable, Sendable {
        /// The variant before; `(no opinion)` and `(error)` stand for none.
        public var from: String
        /// The variant after.
        public var to: String
        /// How many subjects.
        public var count: Int
        /// The targeting keys of the first few of them.
        public var examples: [String]
    }

    /// How many examples a move has at most.
    public static let exampleCount = 5

    /// How many subjects were tried.
    public let subjectCount: Int
    /// The changes, the largest first.
    public let moves: [Move]

    /// Compares two versions of a document.
    public init(
        of flagKey: String, from old: FlagDefinitions, to new: FlagDefinitions,
        contexts: some Sequence<EvaluationContext>
    ) {
        self.init(contexts: contexts) {
            RolloutSimulation.name(of: old.evaluate(flagKey, for: $0))
        } to: {
            RolloutSimulation.name(of: new.evaluate(flagKey, for: $0))
        }
    }

    /// Compares two versions of a document for as many synthetic users.
    public init(of flagKey: String, from old: FlagDefinitions, to new: FlagDefinitions, users: Int) {
        self.init(of: flagKey, from: old, to: new, contexts: RolloutSimulation.syntheticUsers(users))
    }

    /// Compares two versions of a rollout.
    public init(
        from old: PercentageRollout, to new: PercentageRollout, contexts: some Sequence<EvaluationContext>
    ) {
        self.init(contexts: contexts) {
            RolloutSimulation.name(of: old.evaluate(for: $0))
        } to: {
            RolloutSimulation.name(of: new.evaluate(for: $0))
        }
    }

    /// Compares two versions of a rollout for as many synthetic users.
    public init(from old: PercentageRollout, to new: PercentageRollout, users: Int) {
        self.init(from: old, to: new, contexts: RolloutSimulation.syntheticUsers(users))
    }

    /// Compares two versions of weighted variants.
    public init<Old, New>(
        from old: WeightedVariants<Old>, to new: WeightedVariants<New>, contexts: some Sequence<EvaluationContext>
    ) {
        self.init(contexts: contexts) {
            old.name(for: $0)
        } to: {
            new.name(for: $0)
        }
    }

    /// Compares two versions of weighted variants for as many synthetic users.
    public init<Old, New>(from old: WeightedVariants<Old>, to new: WeightedVariants<New>, users: Int) {
        self.init(from: old, to: new, contexts: RolloutSimulation.syntheticUsers(users))
    }

    private struct Way: Hashable {
        var from: String
        var to: String
    }

    private init(
        contexts: some Sequence<EvaluationContext>, from old: (EvaluationContext) -> String,
        to new: (EvaluationContext) -> String
    ) {
        var moves: [Way: Move] = [:]
        var subjectCount = 0
        for context in contexts {
            subjectCount += 1
            let way = Way(from: old(context), to: new(context))
            guard way.from != way.to else { continue }
            var move = moves[way] ?? Move(from: way.from, to: way.to, count: 0, examples: [])
            move.count += 1
            if move.examples.count < Self.exampleCount { move.examples.append(context.targetingKey ?? "(no key)") }
            moves[way] = move
        }
        self.subjectCount = subjectCount
        self.moves = moves.values.sorted { (-$0.count, $0.from, $0.to) < (-$1.count, $1.from, $1.to) }
    }

    /// How many subjects have the same variant as before.
    public var unchangedCount: Int { subjectCount - moves.reduce(0) { $0 + $1.count } }

    /// How many subjects get a variant that they did not have.
    public func joining(_ variant: String) -> Int {
        moves.reduce(0) { $0 + ($1.to == variant ? $1.count : 0) }
    }

    /// How many subjects lose a variant that they had.
    public func leaving(_ variant: String) -> Int {
        moves.reduce(0) { $0 + ($1.from == variant ? $1.count : 0) }
    }

    /// The changes as lines of text in columns, for a terminal.
    public var table: String {
        var table = TextTable(header: ["change", "subjects", "share", "for example"])
        let total = Double(max(1, subjectCount))
        for move in moves {
            table.add([
                "\(move.from) to \(move.to)", String(move.count), TextTable.percentage(Double(move.count) / total),
                move.examples.joined(separator: ", "),
            ])
        }
        table.add(["unchanged", String(unchangedCount), TextTable.percentage(Double(unchangedCount) / total)])
        return table.text
    }
}
