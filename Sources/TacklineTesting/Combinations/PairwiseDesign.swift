/// Rows of choices in which any two factors take each pair of their choices at least once.
struct PairwiseDesign {
    private(set) var rows: [[Int]] = []

    private let counts: [Int]
    /// The pairs that no row has yet, as `isMissing[index(factor, choice)][index(other, choice)]`.
    private var isMissing: [[Bool]]
    private let offsets: [Int]
    private var generator = SeededGenerator()

    /// How many rows are tried for each that is taken.
    private static let candidateCount = 5

    /// - Parameter counts: How many choices each factor has; at least one.
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

    /// The choice that the most missing pairs contain; `nil` if none is missing.
    private func mostMissing() -> (factor: Int, choice: Int)? {
        var best: (factor: Int, choice: Int)?
        var most = 0
        for factor in counts.indices {
            for choice in 0..<counts[factor] {
                // Choices of the factor itself never meet in a row.
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

    private mutating func addRow(_ start: (factor: Int, choice: Int)) {
        var best = (row: [Int](), gain: -1)
        for _ in 0..<PairwiseDesign.candidateCount {
            let candidate = candidate(from: start)
            if candidate.gain > best.gain { best = candidate }
        }
        rows.append(best.row)
        for (factor, choice) in best.row.enumerated() {
            for (other, otherChoice) in best.row.enumerated() {
                isMissing[offsets[factor] + choice][offsets[other] + otherChoice] = false
            }
        }
    }

    /// Makes a row that adds at least one pair, by giving one factor after the other its best choice.
    private mutating func candidate(from start: (factor: Int, choice: Int)) -> (row: [Int], gain: Int) {
        var choices = [Int?](repeating: nil, count: counts.count)
        choices[start.factor] = start.choice
        var rowGain = 0
        for factor in counts.indices.shuffled(using: &generator) where factor != start.factor {
            var best = (choice: 0, gain: -1)
            for choice in (0..<counts[factor]).shuffled(using: &generator) {
                var gain = 0
                for (other, otherChoice) in choices.enumerated() {
                    if let otherChoice, isMissing[offsets[factor] + choice][offsets[other] + otherChoice] { gain += 1 }
                }
                if gain > best.gain { best = (choice, gain) }
            }
            choices[factor] = best.choice
            rowGain += best.gain
        }
        return (choices.map { $0 ?? 0 }, rowGain)
    }
}

/// Numbers that look random and are the same each time.
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
