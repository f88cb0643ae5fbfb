import TacklineCore

/// A generator of the rows of a covering array under constraints.
struct ConstrainedPairs {
    private struct Pair: Hashable {
        let first: Int
        let firstValue: Int
        let second: Int
        let secondValue: Int
    }

    private static let stepLimit = 20_000
    private let keys: [String]
    private let values: [[EncodedFlagValue]]
    private let constraints: [(constraint: FlagConstraint, positions: Set<Int>)]
    private var missing: Set<Pair> = []
    private var ordered: [Pair] = []
    private var steps = 0

    init(_ values: [String: [EncodedFlagValue]], _ constraints: [FlagConstraint]) {
        let keys = values.keys.filter { values[$0]?.isEmpty == false }.sorted()
        self.keys = keys
        self.values = keys.map { values[$0] ?? [] }
        self.constraints = constraints.map { constraint in
            (constraint, Set(constraint.flagKeys.compactMap { keys.firstIndex(of: $0) }))
        }
        for first in keys.indices {
            for second in keys.indices.dropFirst(first + 1) {
                for (firstValue, secondValue) in self.values[first].indices.flatMap({ value in
                    self.values[second].indices.map { (value, $0) }
                }) {
                    ordered.append(
                        Pair(first: first, firstValue: firstValue, second: second, secondValue: secondValue))
                }
            }
        }
        missing = Set(ordered)
    }

    mutating func rows() -> [[String: EncodedFlagValue]] {
        var rows: [[String: EncodedFlagValue]] = []
        if keys.count == 1 {
            return values[0].map { [keys[0]: $0] }.filter { row in
                constraints.allSatisfy { $0.constraint.holds(for: row) }
            }
        }
        for pair in ordered where missing.contains(pair) {
            var row: [Int?] = Array(repeating: nil, count: keys.count)
            row[pair.first] = pair.firstValue
            row[pair.second] = pair.secondValue
            steps = 0
            missing.remove(pair)
            guard isAllowed(row), complete(&row, from: 0) else { continue }
            for (first, second) in pairs(row) { missing.remove(self.pair(first, second, row)) }
            rows.append(named(row))
        }
        return rows
    }

    private func pairs(_ row: [Int?]) -> [(Int, Int)] {
        row.indices.flatMap { first in row.indices.dropFirst(first + 1).map { (first, $0) } }
    }

    private func pair(_ first: Int, _ second: Int, _ row: [Int?]) -> Pair {
        Pair(first: first, firstValue: row[first] ?? 0, second: second, secondValue: row[second] ?? 0)
    }

    private func named(_ row: [Int?]) -> [String: EncodedFlagValue] {
        var named: [String: EncodedFlagValue] = [:]
        for (position, value) in row.enumerated() { named[keys[position]] = value.map { values[position][$0] } }
        return named
    }

    /// Returns whether every constraint holds whose flags all have a value in the row.
    private func isAllowed(_ row: [Int?]) -> Bool {
        constraints.allSatisfy { constraint, positions in
            positions.contains { row[$0] == nil } || constraint.holds(for: named(row))
        }
    }

    /// Fills the missing values of a row from a position on, and backtracks if a constraint does not hold. Recurses
    /// once for each flag at most.
    private mutating func complete(_ row: inout [Int?], from position: Int) -> Bool {
        guard let open = row.indices.dropFirst(position).first(where: { row[$0] == nil }) else { return true }
        let gains = values[open].indices.map { value -> (gain: Int, value: Int) in
            row[open] = value
            let gain = row.indices.count { other in
                other != open && row[other] != nil && missing.contains(pair(min(open, other), max(open, other), row))
            }
            return (gain, value)
        }
        for (_, value) in gains.sorted(by: { ($1.gain, $0.value) < ($0.gain, $1.value) }) {
            steps += 1
            guard steps <= Self.stepLimit else { break }
            row[open] = value
            if isAllowed(row), complete(&row, from: open + 1) { return true }
        }
        row[open] = nil
        return false
    }
}
