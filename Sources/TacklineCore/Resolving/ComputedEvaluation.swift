import Synchronization

/// The computed flags that are being evaluated on the current task, innermost first.
///
/// A flag that meets itself in this list closes a circle. Every flag of the circle is marked, so that each of them drops
/// what its closure returns and falls through to its providers: which one was read first makes no difference.
package final class ComputedEvaluation: Sendable {
    package let owner: ObjectIdentifier
    package let ordinal: Int
    private let outer: ComputedEvaluation?
    private let depth: Int
    private let isInCircle = Atomic<Bool>(false)
    /// Whether the closure has returned. Tasks that it started go on with its list.
    private let isOver = Atomic<Bool>(false)

    /// How many computed flags may wait for each other. It keeps the stack of a small thread from overflowing.
    package static let depthLimit = 64

    @TaskLocal private static var innermost: ComputedEvaluation?

    private init(owner: ObjectIdentifier, ordinal: Int, outer: ComputedEvaluation?) {
        self.owner = owner
        self.ordinal = ordinal
        self.outer = outer
        depth = (outer?.depth ?? 0) + 1
    }

    /// How an evaluation ended.
    package enum Outcome<Value> {
        case value(Value?)
        /// The ordinals on the circle, from the flag itself round to itself again.
        case circle([Int])
        /// A circle that another flag found and reported.
        case inCircle
        case tooDeep
    }

    /// Evaluates a closure for a flag.
    package static func evaluate<Value>(
        owner: ObjectIdentifier,
        ordinal: Int,
        _ closure: () -> Value?
    ) -> Outcome<Value> {
        let outer = innermost.flatMap { $0.isOver.load(ordering: .relaxed) ? nil : $0 }
        if let circle = outer?.closeCircle(owner: owner, ordinal: ordinal) { return .circle(circle) }
        guard (outer?.depth ?? 0) < depthLimit else { return .tooDeep }
        let evaluation = ComputedEvaluation(owner: owner, ordinal: ordinal, outer: outer)
        let value = $innermost.withValue(evaluation) { closure() }
        evaluation.isOver.store(true, ordering: .relaxed)
        return evaluation.isInCircle.load(ordering: .relaxed) ? .inCircle : .value(value)
    }

    private func closeCircle(owner: ObjectIdentifier, ordinal: Int) -> [Int]? {
        var circle = [ordinal]
        var evaluations: [ComputedEvaluation] = []
        var next: ComputedEvaluation? = self
        while let evaluation = next {
            evaluations.append(evaluation)
            circle.append(evaluation.owner == owner ? evaluation.ordinal : -1)
            if evaluation.owner == owner, evaluation.ordinal == ordinal {
                for evaluation in evaluations { evaluation.isInCircle.store(true, ordering: .relaxed) }
                return circle.reversed()
            }
            next = evaluation.outer
        }
        return nil
    }
}
