import Synchronization

/// Something to repeat and measure.
struct Case: Sendable {
    let name: String
    /// Does the work so many times. What it returns depends on every repetition, so none can be left out.
    let run: @Sendable (_ count: Int) -> Int

    init(_ name: String, _ run: @escaping @Sendable (_ count: Int) -> Int) {
        self.name = name
        self.run = run
    }
}

/// How much time to spend.
enum Effort {
    case quick, full

    var rounds: Int { self == .quick ? 5 : 60 }
    /// How many nanoseconds one batch of one case takes, about.
    var batch: Double { self == .quick ? 200_000 : 2_000_000 }
}

enum Harness {
    /// Takes every result, so that the optimiser has to make them.
    static let sink = Atomic<Int>(0)

    /// Returns the nanoseconds that one repetition of each case takes: the best of many rounds, in each of which every
    /// case has its turn.
    ///
    /// The best, because disturbance only ever adds time; in turns, so that a slow moment of the machine meets a case
    /// and its floor alike.
    static func measure(_ cases: [Case], effort: Effort) -> [Double] {
        let counts = cases.map { count(for: $0, nanoseconds: effort.batch) }
        var best = [Double](repeating: .infinity, count: cases.count)
        for _ in 0..<effort.rounds {
            for (index, item) in cases.enumerated() {
                best[index] = min(best[index], time(item, count: counts[index]) / Double(counts[index]))
            }
        }
        return best
    }

    /// Returns the processor time of so many repetitions.
    static func time(_ item: Case, count: Int) -> Double {
        let start = Clock.thread
        let result = item.run(count)
        let end = Clock.thread
        sink.add(result & 0xFF, ordering: .relaxed)
        return end - start
    }

    /// Finds how many repetitions take about as long as wanted.
    static func count(for item: Case, nanoseconds: Double) -> Int {
        // Once before: what only the first repetition does would make the count too small.
        _ = time(item, count: 1)
        var count = 1
        while true {
            let taken = time(item, count: count)
            if taken > nanoseconds / 4 || count > 1 << 30 {
                return max(1, Int(Double(count) * nanoseconds / max(taken, 1)))
            }
            count *= 4
        }
    }
}
