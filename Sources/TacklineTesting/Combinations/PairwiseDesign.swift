/// Rows of choices that contain each pair of choices of any two factors at least once.
struct PairwiseDesign {
    private typealias Choice = (factor: Int, choice: Int)

    private(set) var rows: [[Int]] = []

    private let counts: [Int]
    /// The pairs that no row contains yet, as `isMissing[index(factor, choice)][index(other, choice)]`.
    private var isMissing: [[Bool]]
    private let offsets: [Int]
    private var generator = SeededGenerator()

    /// The number of candidates for each row.
    private static let candidateCount = 5

    /// - Parameter counts: The number of choices of each factor, at least one.
    init(counts: [Int]) {
        self.counts = counts
        var offsets: [Int] = []
        var total = 0
        for count in counts {
            offsets.append(total)
            total += count
        }
        self.offsets = offsets
        isMissing = Array(repeating: Array(repeating: true, count: total), count: total)
        guard counts.count > 1 else {
            rows = counts.first.map { count in (0..<count).map { [$0] } } ?? [[]]
            return
        }
        while let start = mostMissing() { addRow(start) }
    }

    /// Returns the choice that most missing pairs contain, or `nil` if no pair is missing.
    private func mostMissing() -> Choice? {
        var best: Choice?
        var most = 0
        for factor in counts.indices {
            for choice in 0..<counts[factor] {
                // Two choices of the same factor never occur in a row.
                let itself = offsets[factor]..<(offsets[factor] + counts[factor])
                var missing = 0
                for (index, isMissing) in isMissing[offsets[factor] + choice].enumerated()
                where isMissing && !itself.contains(index) { missing += 1 }
                if missing > most {
                    most = missing
                    best = (factor, choice)
                }
            }
        }
        return best
    }

    /// Adds the best of some candidates. Each of them contains a missing pair of the choice that it starts with.
    private mutating func addRow(_ start: Choice) {
        var best = (row: [Int](), gain: 0)
        for _ in 0..<PairwiseDesign.candidateCount {
            let row = candidate(from: start)
            let gain = gain(of: row)
            if gain > best.gain { best = (row, gain) }
        }
        take(best.row)
    }

    private mutating func take(_ row: [Int]) {
        rows.append(row)
        for (factor, choice) in row.enumerated() {
            for (other, otherChoice) in row.enumerated() {
                isMissing[offsets[factor] + choice][offsets[other] + otherChoice] = false
            }
        }
    }

    /// Returns the number of missing pairs that a row contains.
    private func gain(of row: [Int]) -> Int {
        row.indices.reduce(0) { sum, factor in
            sum + row.indices.prefix(factor).count { isMissing[offsets[factor] + row[factor]][offsets[$0] + row[$0]] }
        }
    }

    /// Returns a row with a given choice, in which one factor after the other gets its best choice.
    private mutating func candidate(from start: Choice) -> [Int] {
        var choices = [Int?](repeating: nil, count: counts.count)
        choices[start.factor] = start.choice
        for factor in counts.indices.shuffled(using: &generator) where factor != start.factor {
            var best = (choice: 0, gain: -1)
            for choice in (0..<counts[factor]).shuffled(using: &generator) {
                let index = offsets[factor] + choice
                let gain = choices.enumerated().count { other, otherChoice in
                    otherChoice.map { isMissing[index][offsets[other] + $0] } ?? false
                }
                if gain > best.gain { best = (choice, gain) }
            }
            choices[factor] = best.choice
        }
        return choices.compactMap(\.self)
    }
}

/// A pseudorandom number generator with a fixed seed.
///
/// SplitMix64 (G. Steele, D. Lea, C. Flood, *Fast Splittable Pseudorandom Number Generators*, OOPSLA 2014).
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64 = 1

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
