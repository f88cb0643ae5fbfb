import Foundation
import Synchronization

/// How much more two threads read than one, of the same flag.
struct ThreadBenchmarks {
    let item: Case

    /// Returns the result for two threads at once. Rounds in which a core was taken away from either thread say nothing about
    /// reading at once, and are left out. If that is all of them, the result stays empty.
    func result(effort: Effort) -> Result {
        let bar = Result.Bar.scalingAtLeast(1.9)
        let count = Harness.count(for: item, nanoseconds: effort.batch)
        // Each thread is measured alone as well: code of a few cycles takes one more or less on another stack.
        var alone = Double.infinity
        var otherAlone = Double.infinity
        var together = Double.infinity
        for _ in 0..<effort.rounds * 2 {
            alone = min(alone, Harness.time(item, count: count))
            otherAlone = min(otherAlone, timeOnOtherThread(item, count: count))
            if let taken = timeTogether(item, count: count) { together = min(together, taken) }
        }
        guard together.isFinite else { return Result(name: item.name, bar: bar) }
        return Result(
            name: item.name,
            nanoseconds: together / Double(count),
            scaling: (alone + otherAlone) / together,
            bar: bar
        )
    }

    private func timeOnOtherThread(_ item: Case, count: Int) -> Double {
        let time = Mutex(Double.infinity)
        let done = DispatchSemaphore(value: 0)
        let other = Thread {
            let taken = Harness.time(item, count: count)
            time.withLock { $0 = taken }
            done.signal()
        }
        other.start()
        done.wait()
        return time.withLock { $0 }
    }

    /// Returns the mean processor time of two threads that do so many repetitions each at once, or `nil` if they did not
    /// have a core each all the time.
    private func timeTogether(_ item: Case, count: Int) -> Double? {
        let arrived = Atomic<Int>(0)
        let times = Mutex<[(processor: Double, start: Double, end: Double)]>([])
        let work: @Sendable () -> Void = {
            arrived.add(1, ordering: .acquiringAndReleasing)
            while arrived.load(ordering: .acquiring) < 2 {}
            let start = Clock.wall
            let processor = Harness.time(item, count: count)
            let end = Clock.wall
            times.withLock { $0.append((processor, start, end)) }
        }
        let done = DispatchSemaphore(value: 0)
        let other = Thread {
            work()
            done.signal()
        }
        other.start()
        work()
        done.wait()
        let both = times.withLock { $0 }
        let shared = (both.map(\.end).min() ?? 0) - (both.map(\.start).max() ?? 0)
        let processor = both.map(\.processor).reduce(0, +) / 2
        return shared >= 0.9 * processor && both.allSatisfy { $0.end - $0.start <= 1.1 * $0.processor }
            ? processor : nil
    }
}
