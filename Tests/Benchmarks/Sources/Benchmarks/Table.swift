/// What a case came to.
struct Result {
    /// What was promised.
    enum Bar {
        case ratioAtMost(Double)
        case scalingAtLeast(Double)
        case microsecondsAtMost(Double)
    }

    let name: String
    /// `nil` for a row that only has a scaling factor, or that could not be measured.
    var nanoseconds: Double?
    /// What the case is compared with, and how long that took in the same run.
    var floor: (name: String, nanoseconds: Double)?
    /// How much more two threads do than one.
    var scaling: Double?
    var bar: Bar?

    var ratio: Double? {
        guard let nanoseconds, let floor else { return nil }
        return nanoseconds / floor.nanoseconds
    }

    /// `nil` if there is no bar, or nothing to hold against it.
    var isMet: Bool? {
        switch bar {
        case .ratioAtMost(let limit)?: ratio.map { $0 <= limit }
        case .scalingAtLeast(let limit)?: scaling.map { $0 >= limit }
        case .microsecondsAtMost(let limit)?: nanoseconds.map { $0 <= limit * 1000 }
        case nil: nil
        }
    }

    /// Whether a bar is missed that does not depend on how fast the machine is.
    var missesRatio: Bool {
        if case .microsecondsAtMost? = bar { return false }
        return isMet == false
    }
}

/// The results as people read them.
struct Table: CustomStringConvertible {
    private var sections: [(title: String, results: [Result])] = []

    mutating func add(_ title: String, _ results: [Result]) {
        sections.append((title, results))
    }

    var missesRatio: Bool { sections.contains { $0.results.contains(where: \.missesRatio) } }

    /// What was measured, without the figures, which say nothing of a debug build or of a few rounds.
    var names: String { sections.flatMap(\.results).map { "  \($0.name)" }.joined(separator: "\n") }

    var description: String {
        sections.map { section in
            let rows = [["", "time", "ratio", "floor", "bar"]] + section.results.map(row)
            let widths = (0..<5).map { column in rows.map { $0[column].count }.max() ?? 0 }
            let lines = rows.map { row in
                zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "   ")
            }
            return "\n\(section.title)\n  " + lines.joined(separator: "\n  ")
        }.joined(separator: "\n")
    }

    private func row(_ result: Result) -> [String] {
        let bar =
            switch result.bar {
            case .ratioAtMost(let limit)?: "≤ \(limit)"
            case .scalingAtLeast(let limit)?: "≥ \(limit)"
            case .microsecondsAtMost(let limit)?: "≤ \(time(limit * 1000))"
            case nil: ""
            }
        let verdict =
            result.bar == nil ? "" : result.isMet.map { $0 ? " met" : " NOT met" } ?? " not measured: cores busy"
        return [
            result.name, result.nanoseconds.map(time) ?? "",
            (result.scaling ?? result.ratio).map { "\(($0 * 100).rounded() / 100)" } ?? "",
            result.floor.map { "× \($0.name) (\(time($0.nanoseconds)))" }
                ?? (result.scaling == nil ? "" : "× one thread"),
            bar + verdict,
        ]
    }

    private func time(_ nanoseconds: Double) -> String {
        nanoseconds < 10_000 ? "\((nanoseconds * 10).rounded() / 10) ns" : "\((nanoseconds / 100).rounded() / 10) µs"
    }
}
