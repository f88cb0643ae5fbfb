/// Rows of choices that contain each pair of choices of any two factors at least once.
struct PairwiseDesign {
    private(set) var rows: [[Int]] = []

    /// The choices of each factor, numbered over all factors.
    private let choices: [Range<Int>]
    /// The pairs of choices of different factors that no row contains yet.
    private var isMissing: [[Bool]]

    /// - Parameter counts: The number of choices of each factor, at least one.
    init(counts: [Int]) {
        let ends = counts.indices.map { counts[...$0].reduce(0, +) }
        choices = zip(ends, counts).map { $0 - $1..<$0 }
        let all = 0..<(ends.last ?? 0)
        isMissing = choices.flatMap { own in own.map { _ in all.map { !own.contains($0) } } }
        guard counts.count > 1 else {
            rows = counts.first.map { count in (0..<count).map { [$0] } } ?? [[]]
            return
        }
        while true {
            // The choice with the most missing pairs.
            let missing = isMissing.map { $0.count { $0 } }
            guard let most = missing.max(), most > 0, let start = missing.firstIndex(of: most) else { return }
            let row = row(from: start)
            for choice in row { for other in row { isMissing[choice][other] = false } }
            rows.append(zip(row, choices).map { $0 - $1.lowerBound })
        }
    }

    /// Returns a row with a given choice, in which one factor after the other gets the choice that adds the most missing
    /// pairs. Each row begins elsewhere, so that of choices that add as many not always the first is taken.
    private func row(from start: Int) -> [Int] {
        var row = [start]
        for factor in rotated(choices, by: rows.count * 3) where !factor.contains(start) {
            var best = (choice: factor.lowerBound, gain: -1)
            for choice in rotated(Array(factor), by: rows.count) {
                let gain = row.count { isMissing[choice][$0] }
                if gain > best.gain { best = (choice, gain) }
            }
            row.append(best.choice)
        }
        return row.sorted()
    }

    private func rotated<Element>(_ elements: [Element], by count: Int) -> ArraySlice<Element> {
        elements[(count % elements.count)...] + elements[..<(count % elements.count)]
    }
}
