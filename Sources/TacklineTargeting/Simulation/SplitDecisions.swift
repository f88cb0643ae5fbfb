/// The shares that an evaluation takes in its splits, so that all combinations can be evaluated and weighed.
///
/// A class, because the evaluator is copied and its choices must be recorded here. One evaluation uses it at a time.
final class SplitDecisions {
    /// The share taken and the number of shares, for each split met so far, in order.
    private var choices: [(taken: Int, count: Int)] = []
    private var position = 0
    private(set) var probability = 1.0
    /// A source of random shares by their weights; `nil` to take every combination once.
    private var random: SplitMix?

    /// Creates decisions that take every combination, or random ones, which are always the same.
    init(isRandom: Bool = false) {
        random = isRandom ? SplitMix() : nil
    }

    /// Returns the index of the share to take in a split. `ends` are the running sums of the weights, so the last one
    /// is their total.
    func choose(_ ends: [UInt32]) -> Int {
        let total = ends[ends.count - 1]
        if random != nil {
            let place = FractionalGeneration.place(of: random?.next() ?? 0, totalWeight: max(1, total))
            return ends.firstIndex { place < $0 } ?? ends.count - 1
        }
        if position == choices.count { choices.append((0, ends.count)) }
        let taken = min(choices[position].taken, ends.count - 1)
        position += 1
        let weight = ends[taken] - (taken == 0 ? 0 : ends[taken - 1])
        probability *= Double(weight) / Double(max(1, total))
        return taken
    }

    /// Advances to the next combination; returns `false` when all have been taken.
    func advance() -> Bool {
        if random != nil { return true }
        choices.removeSubrange(position...)
        position = 0
        probability = 1
        while let last = choices.last {
            if last.taken + 1 < last.count {
                choices[choices.count - 1].taken += 1
                return true
            }
            choices.removeLast()
        }
        return false
    }
}

/// The upper half of SplitMix64 (G. Steele, D. Lea, C. Flood, *Fast Splittable Pseudorandom Number Generators*, 2014).
private struct SplitMix {
    private var state: UInt64 = 0

    mutating func next() -> UInt32 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return UInt32(truncatingIfNeeded: (mixed ^ (mixed >> 31)) >> 32)
    }
}

extension FlagDefinition {
    /// The maximum number of combinations of shares that are evaluated for one subject.
    private static let wayLimit = 4_096

    /// Returns the variants that the rule can give a subject, each with its probability. The probabilities add up to 1.
    ///
    /// Splits in one rule are assumed to be independent of each other. If there are too many combinations of their
    /// shares, random ones represent them.
    ///
    /// - Parameters:
    ///   - context: The subject.
    ///   - timestamp: The time in seconds since 1970; `nil` for the document's time.
    func expectedVariants(for context: EvaluationContext, at timestamp: Int64? = nil) -> [(String, Double)] {
        guard isAvailable, program != nil else {
            return [(RolloutSimulation.name(of: evaluate(for: context, at: timestamp)), 1)]
        }
        var parts: [String: Double] = [:]
        let every = SplitDecisions()
        for _ in 0..<Self.wayLimit {
            let name = RolloutSimulation.name(of: evaluate(for: context, at: timestamp, decisions: every))
            parts[name, default: 0] += every.probability
            if !every.advance() { return parts.map { ($0.key, $0.value) } }
        }
        parts = [:]
        let some = SplitDecisions(isRandom: true)
        for _ in 0..<Self.wayLimit {
            let name = RolloutSimulation.name(of: evaluate(for: context, at: timestamp, decisions: some))
            parts[name, default: 0] += 1 / Double(Self.wayLimit)
        }
        return parts.map { ($0.key, $0.value) }
    }
}
