/// Rows of choices that contain each allowed pair of choices of any two factors at least once.
struct PairwiseDesign {
    private typealias Choice = (factor: Int, choice: Int)

    private(set) var rows: [[Int]] = []

    private let counts: [Int]
    private var allowed: AllowedRows
    /// The pairs that no row contains yet, as `isMissing[index(factor, choice)][index(other, choice)]`.
    private var isMissing: [[Bool]]
    private let offsets: [Int]
    private var generator = SeededGenerator()

    /// The number of candidates for each row.
    private static let candidateCount = 5
    /// The number of choices that are tried for one row before it is abandoned.
    private static let stepLimit = 20_000

    /// - Parameters:
    ///   - counts: The number of choices of each factor, at least one.
    ///   - allowed: The filter for the rows.
    init(counts: [Int], allowed: AllowedRows) {
        self.counts = counts
        self.allowed = allowed
        var offsets: [Int] = []
        var total = 0
        for count in counts {
            offsets.append(total)
            total += count
        }
        self.offsets = offsets
        isMissing = Array(repeating: Array(repeating: true, count: total), count: total)
        guard counts.count > 1 else {
            let all = counts.first.map { count in (0..<count).map { [$0] } } ?? [[]]
            for row in all where self.allowed.allows(row) { rows.append(row) }
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

    private mutating func addRow(_ start: Choice) {
        var best = (row: [Int](), gain: 0)
        for _ in 0..<PairwiseDesign.candidateCount {
            guard let row = candidate(from: [start]) else { continue }
            let gain = gain(of: row)
            if gain > best.gain { best = (row, gain) }
        }
        if best.gain > 0 { take(best.row) } else { settle(start) }
    }

    private mutating func take(_ row: [Int]) {
        rows.append(row)
        for (factor, choice) in row.enumerated() {
            for (other, otherChoice) in row.enumerated() {
                isMissing[offsets[factor] + choice][offsets[other] + otherChoice] = false
            }
        }
    }

    /// Adds a row for a missing pair of a choice. A pair without an allowed row is no longer missing.
    private mutating func settle(_ start: Choice) {
        let first = offsets[start.factor] + start.choice
        for factor in counts.indices where factor != start.factor {
            for choice in 0..<counts[factor] {
                let second = offsets[factor] + choice
                guard isMissing[first][second] else { continue }
                if let row = candidate(from: [start, (factor, choice)]) { return take(row) }
                isMissing[first][second] = false
                isMissing[second][first] = false
            }
        }
    }

    /// Returns the number of missing pairs that a row contains.
    private func gain(of row: [Int]) -> Int {
        row.indices.reduce(0) { sum, factor in
            sum + row.indices.prefix(factor).count { isMissing[offsets[factor] + row[factor]][offsets[$0] + row[$0]] }
        }
    }

    /// Returns a row with some given choices, in which one factor after the other gets its best choice, or `nil` if
    /// none is found.
    private mutating func candidate(from start: [Choice]) -> [Int]? {
        var choices = [Int?](repeating: nil, count: counts.count)
        for choice in start { choices[choice.factor] = choice.choice }
        guard allowed.allows(choices) else { return nil }
        let open = counts.indices.shuffled(using: &generator).filter { choices[$0] == nil }
        var steps = 0
        guard complete(&choices, open[...], &steps) else { return nil }
        return choices.compactMap(\.self)
    }

    /// Assigns choices to the open factors and backtracks where they aren't allowed. The recursion is as deep as the
    /// number of factors.
    private mutating func complete(_ choices: inout [Int?], _ open: ArraySlice<Int>, _ steps: inout Int) -> Bool {
        guard let factor = open.first else { return true }
        var ranked: [(choice: Int, gain: Int)] = []
        for choice in (0..<counts[factor]).shuffled(using: &generator) {
            var gain = 0
            for (other, otherChoice) in choices.enumerated() {
                if let otherChoice, isMissing[offsets[factor] + choice][offsets[other] + otherChoice] { gain += 1 }
            }
            ranked.append((choice, gain))
        }
        ranked.sort { $0.gain > $1.gain }
        for (choice, _) in ranked {
            steps += 1
            guard steps <= PairwiseDesign.stepLimit else { break }
            choices[factor] = choice
            if allowed.allows(choices, changed: factor), complete(&choices, open.dropFirst(), &steps) { return true }
        }
        choices[factor] = nil
        return false
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
