import Foundation
import Synchronization
import Tackline

/// How long it takes from the begin of a write until a task that waits for changes has one: the median, on the wall.
struct LatencyBenchmarks {
    func results(effort: Effort) async -> [Result] {
        let count = effort == .quick ? 100 : 3000
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let floor = Waiting(stream) { continuation.yield($0) }
        let memory = MemoryProvider()
        let (observer, notices) = FlagProviderObserver.makeStream()
        _ = memory.observe(observer)
        let key = FlagKeyPath("written")
        let notified = Waiting(notices) { memory.setValue(.bool($0 & 1 == 0), for: key) }
        // In turns, as all cases are.
        for step in 0..<count {
            floor.step(step)
            notified.step(step)
        }
        continuation.finish()
        let floorTime = floor.median
        withExtendedLifetime(observer) {}
        return [
            Result(
                name: "An observer's stream of notices",
                nanoseconds: notified.median,
                floor: ("a bare AsyncStream", floorTime)
            )
        ]
    }
}

/// A task that waits for elements, and the times at which they came.
private final class Waiting: Sendable {
    private let times = Mutex<[Double]>([])
    private let cause: @Sendable (Int) -> Void
    private let task: Task<Void, Never>
    private let arrival = Arrival()

    /// Shared with the task, which must not keep this object.
    private final class Arrival: Sendable {
        let time = Atomic<UInt64>(0)
    }

    init<Element: Sendable>(_ stream: AsyncStream<Element>, cause: @escaping @Sendable (Int) -> Void) {
        self.cause = cause
        task = Task.detached { [arrival] in
            for await _ in stream { arrival.time.store(Clock.wall.bitPattern, ordering: .releasing) }
        }
    }

    deinit { task.cancel() }

    /// Causes one element and waits until it came.
    func step(_ number: Int) {
        // The task has to be waiting again, which it cannot tell.
        let pause = Clock.wall + 30_000
        while Clock.wall < pause {}
        arrival.time.store(0, ordering: .releasing)
        let start = Clock.wall
        cause(number)
        var end: UInt64 = 0
        while end == 0 { end = arrival.time.load(ordering: .acquiring) }
        let taken = Double(bitPattern: end) - start
        times.withLock { $0.append(taken) }
    }

    var median: Double {
        let sorted = times.withLock { $0.sorted() }
        return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
    }
}
