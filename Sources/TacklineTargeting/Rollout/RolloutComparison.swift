import TacklineCore

/// A comparison of two versions of a flag in documents, with the subjects that get another variant.
///
/// ```swift
/// let change = RolloutComparison(of: "reservations", from: definitions, to: newDefinitions, users: 10_000)
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
        /// The targeting keys of the first five of them.
        public var examples: [String]
    }

    /// The number of subjects that were evaluated.
    public let subjectCount: Int
    /// The moves, the largest first.
    public let moves: [Move]

    /// Compares what a flag gives to subjects in two versions of a document.
    ///
    /// - Parameters:
    ///   - flagKey: The key of the flag. A version without it gives no subject a variant.
    ///   - old: The document before.
    ///   - new: The document after.
    ///   - contexts: The subjects.
    /// - Complexity: O(*n*) evaluations.
    public init(
        of flagKey: String, from old: FlagDefinitions, to new: FlagDefinitions,
        contexts: some Sequence<EvaluationContext>
    ) {
        let (old, new) = (old.flags[flagKey], new.flags[flagKey])
        var moves: [[String]: Move] = [:]
        var subjectCount = 0
        for context in contexts {
            subjectCount += 1
            let from = Self.variant(of: old?.evaluate(for: context))
            let to = Self.variant(of: new?.evaluate(for: context))
            guard from != to else { continue }
            var move = moves[[from, to]] ?? Move(from: from, to: to, count: 0, examples: [])
            move.count += 1
            if move.count <= 5 { move.examples.append(context.targetingKey ?? "(no key)") }
            moves[[from, to]] = move
        }
        self.subjectCount = subjectCount
        self.moves = moves.values.sorted { (-$0.count, $0.from, $0.to) < (-$1.count, $1.from, $1.to) }
    }

    /// Compares what a flag gives to a number of synthetic users, whose targeting keys are `user-1`, `user-2` and so on.
    public init(of flagKey: String, from old: FlagDefinitions, to new: FlagDefinitions, users: Int) {
        let contexts = (0..<max(0, users)).lazy.map { EvaluationContext(targetingKey: "user-\($0 + 1)") }
        self.init(of: flagKey, from: old, to: new, contexts: contexts)
    }

    private static func variant(of evaluation: FlagEvaluation?) -> String {
        if evaluation?.errorCode != nil { return "(error)" }
        return evaluation?.variant ?? "(no opinion)"
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
}
