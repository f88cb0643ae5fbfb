/// A comparison of two versions of a flag or a rollout, with the subjects that get another variant.
///
/// ```swift
/// let change = RolloutComparison(
///     from: PercentageRollout(10, of: "reservations"),
///     to: PercentageRollout(50, of: "reservations"), users: 10_000
/// )
/// change.leaving("on")   // 0: no subject loses the variant
/// ```
public struct RolloutComparison: Sendable {
    /// The subjects that go from one variant to another.
    public struct Move: Hashable, Sendable {
        /// The variant before; `(no opinion)` and `(error)` stand for none.
        public var from: String
        /// The variant after.
        public var to: String
        /// The number of subjects.
        public var count: Int
        /// The targeting keys of the first few of them.
        public var examples: [String]
    }

    /// The maximum number of examples of a move.
    public static let exampleCount = 5

    /// The number of subjects that were evaluated.
    public let subjectCount: Int
    /// The moves, the largest first.
    public let moves: [Move]

    /// Compares two versions of a document.
    public init(
        of flagKey: String, from old: FlagDefinitions, to new: FlagDefinitions,
        contexts: some Sequence<EvaluationContext>
    ) {
        self.init(from: old.flag(flagKey), to: new.flag(flagKey), contexts: contexts)
    }

    /// Compares two versions of a document for a number of synthetic users.
    public init(of flagKey: String, from old: FlagDefinitions, to new: FlagDefinitions, users: Int) {
        self.init(of: flagKey, from: old, to: new, contexts: RolloutSimulation.syntheticUsers(users))
    }

    /// Compares two versions of a rollout.
    public init(
        from old: PercentageRollout, to new: PercentageRollout, contexts: some Sequence<EvaluationContext>
    ) {
        self.init(from: old.flag, to: new.flag, contexts: contexts)
    }

    /// Compares two versions of a rollout for a number of synthetic users.
    public init(from old: PercentageRollout, to new: PercentageRollout, users: Int) {
        self.init(from: old, to: new, contexts: RolloutSimulation.syntheticUsers(users))
    }

    /// Compares two versions of weighted variants.
    public init<Old, New>(
        from old: WeightedVariants<Old>, to new: WeightedVariants<New>, contexts: some Sequence<EvaluationContext>
    ) {
        self.init(
            from: old.flag, to: new.flag, contexts: contexts, oldName: { old.name(of: $0) },
            newName: { new.name(of: $0) })
    }

    /// Compares two versions of weighted variants for a number of synthetic users.
    public init<Old, New>(from old: WeightedVariants<Old>, to new: WeightedVariants<New>, users: Int) {
        self.init(from: old, to: new, contexts: RolloutSimulation.syntheticUsers(users))
    }

    private struct Way: Hashable {
        var from: String
        var to: String
    }

    /// Compares the evaluations of two flags, of which one may be missing, for subjects.
    private init(
        from old: FlagDefinition?, to new: FlagDefinition?, contexts: some Sequence<EvaluationContext>,
        oldName: (String) -> String = { $0 }, newName: (String) -> String = { $0 }
    ) {
        var oldTrial = old.map { FlagTrial($0) }
        var newTrial = new.map { FlagTrial($0) }
        var moves: [Move] = []
        var positions: [Way: Int] = [:]
        // The first few evaluations that were met, with the position of the move between them: most subjects get one of
        // a few prepared ones.
        var known: [(from: FlagEvaluation, to: FlagEvaluation, position: Int)] = []
        var subjectCount = 0
        let isConstant = (oldTrial?.isConstant ?? true) && (newTrial?.isConstant ?? true)
        let hashesAlike = oldTrial.flatMap { old in newTrial.map { old.hashesAlike($0) } } ?? false
        for context in contexts {
            subjectCount += 1
            var hash: UInt32?
            let from = oldTrial?.evaluate(for: context, hash: &hash)
            if !hashesAlike { hash = nil }
            let to = newTrial?.evaluate(for: context, hash: &hash)
            let position: Int
            if let from, let to,
                let place = known.firstIndex(where: { $0.from.isIdentical(to: from) && $0.to.isIdentical(to: to) })
            {
                position = known[place].position
            } else {
                let way = Way(
                    from: from.map { oldName(RolloutSimulation.name(of: $0)) } ?? RolloutSimulation.noOpinion,
                    to: to.map { newName(RolloutSimulation.name(of: $0)) } ?? RolloutSimulation.noOpinion)
                position = positions[way] ?? moves.count
                if position == moves.count {
                    positions[way] = position
                    moves.append(Move(from: way.from, to: way.to, count: 0, examples: []))
                }
                if let from, let to, known.count < 16 { known.append((from, to, position)) }
                // No user moves between two answers that are the same for all users.
                if isConstant, way.from == way.to, let rest = contexts as? any Collection {
                    subjectCount = rest.count
                    break
                }
            }
            moves[position].count += 1
            if moves[position].count <= Self.exampleCount {
                moves[position].examples.append(context.targetingKey ?? "(no key)")
            }
        }
        self.subjectCount = subjectCount
        self.moves = moves.filter { $0.from != $0.to }.sorted {
            (-$0.count, $0.from, $0.to) < (-$1.count, $1.from, $1.to)
        }
    }

    /// The number of subjects that have the same variant as before.
    public var unchangedCount: Int { subjectCount - moves.reduce(0) { $0 + $1.count } }

    /// Returns the number of subjects that get a variant that they did not have.
    public func joining(_ variant: String) -> Int {
        moves.reduce(0) { $0 + ($1.to == variant ? $1.count : 0) }
    }

    /// Returns the number of subjects that lose a variant that they had.
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
