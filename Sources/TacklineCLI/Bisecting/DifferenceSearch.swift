#if CommandLine
    /// A search for the smallest set of differences with which a command fails.
    ///
    /// The differences are numbers from 0. With *k* culprits among *n* differences the search tries about 2 *k* log₂ *n*
    /// sets, by QuickXplain (U. Junker, *QuickXplain: Preferred Explanations and Relaxations for Over-Constrained
    /// Problems*, AAAI 2004). It assumes that a set fails if a part of it does. If the result shows otherwise, the search
    /// goes on by delta debugging (A. Zeller and R. Hildebrandt, *Simplifying and Isolating Failure-Inducing Input*, IEEE
    /// Transactions on Software Engineering, 2002), which assumes nothing.
    struct DifferenceSearch {
        /// Returns whether the command fails with a set of differences, which is in ascending order.
        private let fails: ([Int]) throws(CommandFailure) -> Bool

        init(_ fails: @escaping ([Int]) throws(CommandFailure) -> Bool) { self.fails = fails }

        /// Returns a set from which no difference can be left out.
        ///
        /// - Parameters:
        ///   - count: The number of differences, with all of which the command fails.
        ///   - suspects: Some of them, which are tried first.
        func smallestSet(of count: Int, suspects: [Int] = []) throws(CommandFailure) -> [Int] {
            guard count > 0 else { return [] }
            var candidates = Array(0..<count)
            let suspects = Set(suspects).sorted()
            if !suspects.isEmpty, suspects.count < count, try fails(suspects) { candidates = suspects }
            let found = try culprits(of: candidates, beside: [], isNew: false).sorted()
            return try fails(found) ? reduced(found) : reduced(divided(candidates))
        }

        /// Returns the differences of a list that are needed for a failure, beside others that are applied already.
        ///
        /// - Parameter isNew: Whether the others have not been tried alone.
        private func culprits(
            of candidates: [Int], beside others: [Int], isNew: Bool
        ) throws(CommandFailure) -> [Int] {
            if isNew, try fails(others.sorted()) { return [] }
            guard candidates.count > 1 else { return candidates }
            let (first, second) = (candidates[..<(candidates.count / 2)], candidates[(candidates.count / 2)...])
            let later = try culprits(of: Array(second), beside: others + first, isNew: true)
            let earlier = try culprits(of: Array(first), beside: others + later, isNew: !later.isEmpty)
            return earlier + later
        }

        /// Returns a set from which no single difference can be left out.
        private func reduced(_ set: [Int]) throws(CommandFailure) -> [Int] {
            var set = set
            for member in set where set.count > 1 {
                let rest = set.filter { $0 != member }
                if try fails(rest) { set = rest }
            }
            return set
        }

        /// Delta debugging: leaves out parts, of which there are more and smaller ones each time that none can be left out.
        private func divided(_ set: [Int]) throws(CommandFailure) -> [Int] {
            var (set, parts) = (set, 2)
            search: while set.count > 1 {
                let size = (set.count + parts - 1) / parts
                for start in stride(from: 0, to: set.count, by: size) {
                    let end = min(start + size, set.count)
                    let rest = Array(set[..<start] + set[end...])
                    if !rest.isEmpty, try fails(rest) {
                        set = rest
                        parts = max(2, parts - 1)
                        continue search
                    }
                }
                if parts >= set.count { break }
                parts = min(set.count, parts * 2)
            }
            return set
        }
    }
#endif
