#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The times of many reads, in steps of an eighth of a power of two.
struct ReadHistogram: CustomStringConvertible {
    private var counts = [Int](repeating: 0, count: 64 * 8)
    private var greatest = 0.0
    /// The slow reads, by what the system did to the thread meanwhile.
    private var preempted = Slow()
    private var waited = Slow()
    private var other = Slow()
    private var switches = Switches()
    /// Keeps reads from being left out.
    var sum = 0

    private struct Slow {
        var count = 0
        var longest = 0.0

        mutating func add(_ other: Slow) {
            count += other.count
            longest = max(longest, other.longest)
        }

        var text: String { ReadHistogram.column("\(count)/\((longest / 1000).rounded() / 1)", 16) }
    }

    /// How often the calling thread lost the processor, and gave it up; zero where the system does not count.
    private struct Switches {
        var involuntary = 0
        var voluntary = 0

        init() {
            #if os(Linux)
                var usage = rusage()
                // RUSAGE_THREAD
                guard getrusage(__rusage_who_t(1), &usage) == 0 else { return }
                involuntary = usage.ru_nivcsw
                voluntary = usage.ru_nvcsw
            #endif
        }
    }

    mutating func time(_ read: () -> Void) {
        let start = Clock.wall
        read()
        let taken = Clock.wall - start
        let nanoseconds = UInt64(max(taken, 1))
        let exponent = 63 - nanoseconds.leadingZeroBitCount
        let eighth = exponent < 3 ? 0 : Int(nanoseconds >> UInt64(exponent - 3)) & 7
        counts[exponent * 8 + eighth] += 1
        if taken > greatest { greatest = taken }
        if taken > 5000 { classify(taken) }
    }

    /// The counts are those since the slow read before, so that fast reads need not ask for them: what happened between
    /// two of them is put down to this one.
    private mutating func classify(_ taken: Double) {
        let now = Switches()
        let slow = Slow(count: 1, longest: taken)
        if now.voluntary > switches.voluntary {
            waited.add(slow)
        } else if now.involuntary > switches.involuntary {
            preempted.add(slow)
        } else {
            other.add(slow)
        }
        switches = now
    }

    mutating func add(_ more: ReadHistogram) {
        for index in counts.indices { counts[index] += more.counts[index] }
        greatest = max(greatest, more.greatest)
        preempted.add(more.preempted)
        waited.add(more.waited)
        other.add(more.other)
    }

    /// The time that this part of the reads does not exceed, to an eighth.
    private func quantile(_ part: Double) -> Double {
        let wanted = Int((Double(counts.reduce(0, +)) * part).rounded(.up))
        var seen = 0
        for (index, count) in counts.enumerated() {
            seen += count
            if seen >= wanted {
                return Double(sign: .plus, exponent: index / 8, significand: 1 + Double(index % 8 + 1) / 8)
            }
        }
        return greatest
    }

    private static func column(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    static let heading =
        "times in ns:        " + ["median", "99 %", "99.9 %", "99.99 %", "99.999 %"].map { column($0, 10) }.joined()
        + "  over 5 µs (count/longest in µs):" + ["took turns", "waited", "other"].map { column($0, 14) }.joined()
        + column("reads", 12)

    var description: String {
        let quantiles = [0.5, 0.99, 0.999, 0.9999, 0.99999].map { Self.column("\(Int(quantile($0)))", 10) }.joined()
        let slow = [preempted, waited, other].map(\.text).joined()
        return quantiles + String(repeating: " ", count: 27) + slow + Self.column("\(counts.reduce(0, +))", 12)
    }
}
