/// Makes an evaluation take a given way through its splits, so that all ways can be tried and weighed.
///
/// A class, because the evaluator is copied and has to report back. Used by one evaluation at a time.
final class SplitDecisions {
    /// For each split met so far, in order, the share taken and how many there are.
    private var choices: [(taken: Int, count: Int)] = []
    private var position = 0
    private(set) var probability = 1.0

    /// Chooses a share of a split; `ends` and the last of them say how probable it is.
    func choose(_ ends: [UInt32]) -> Int {
        if position == choices.count { choices.append((0, ends.count)) }
        let taken = min(choices[position].taken, ends.count - 1)
        position += 1
        let weight = ends[taken] - (taken == 0 ? 0 : ends[taken - 1])
        probability *= Double(weight) / Double(max(1, ends[ends.count - 1]))
        return taken
    }

    /// Goes on to the next way; `false` when all have been taken.
    func advance() -> Bool {
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
