import Synchronization
import Tackline

/// How long it takes from the begin of a write until a task that waits for changes has one, on the wall.
///
/// Of all times it is the one that three in four exceed: disturbance only ever adds.
///
/// The floor is a writer that makes the same write to a provider without observers, and then yields the value to a
/// bare `AsyncStream` that a task consumes. So it includes the provider's lock and its lookup, the stream's lock and
/// the wake of the task on another thread, which is most of the time; it includes nothing of a loader. The row of a bare
/// stream shows what the wake alone takes.
struct LatencyBenchmarks {
    func results(effort: Effort) async -> [Result] {
        let count = effort == .quick ? 100 : 4000
        let key = FlagKeyPath("written")

        let unobserved = MemoryProvider()
        let (stored, storedContinuation) = AsyncStream.makeStream(of: Bool.self)
        let floor = Waiting(stored) { number in
            unobserved.setValue(.bool(number & 1 == 0), for: key)
            storedContinuation.yield(number & 1 == 0)
        }
        let (bare, bareContinuation) = AsyncStream.makeStream(of: Bool.self)
        let stream = Waiting(bare) { bareContinuation.yield($0 & 1 == 0) }

        let told = MemoryProvider()
        let (observer, notices) = FlagProviderObserver.makeStream()
        _ = told.observe(observer)
        let notified = Waiting(notices) { told.setValue(.bool($0 & 1 == 0), for: key) }

        let ofFlag = Watched()
        let values = Waiting(ofFlag.loader.$written.values, write: ofFlag)
        let ofChanges = Watched()
        let changes = Waiting(ofChanges.loader.$written.changes, write: ofChanges)
        let ofLoader = Watched()
        let all = Waiting(ofLoader.loader.changes, write: ofLoader)

        let everyone: [any Stepping] = [floor, stream, notified, values, changes, all]
        // In turns, as all cases are.
        for step in 0..<count {
            for waiting in everyone { waiting.step(step) }
        }
        storedContinuation.finish()
        bareContinuation.finish()
        withExtendedLifetime(observer) {}
        let base = ("a write and a bare AsyncStream", floor.time)
        return [
            Result(name: "A bare AsyncStream, without the write", nanoseconds: stream.time, floor: base),
            Result(name: "An observer's stream of notices", nanoseconds: notified.time, floor: base),
            Result(name: "A flag's values", nanoseconds: values.time, floor: base, bar: .ratioAtMost(2)),
            Result(name: "A flag's changes", nanoseconds: changes.time, floor: base, bar: .ratioAtMost(2)),
            Result(name: "The changes of a whole loader", nanoseconds: all.time, floor: base),
        ]
    }
}

/// A loader whose flag `written` is written to. Each consumer has one of its own, so that a write resumes no other.
private struct Watched {
    let memory = MemoryProvider()
    let loader: FlagsLoader<ReadFlags>

    init() {
        loader = FlagsLoader(ReadFlags.self, providers: [memory])
    }
}

private protocol Stepping {
    func step(_ number: Int)
}

/// A task that waits for elements, and the times at which they came.
private final class Waiting: Stepping, Sendable {
    private let times = Mutex<[Double]>([])
    private let cause: @Sendable (Int) -> Void
    private let task: Task<Void, Never>
    private let arrival = Arrival()

    /// Shared with the task, which must not keep this object.
    private final class Arrival: Sendable {
        let time = Atomic<UInt64>(0)
    }

    init<Elements: AsyncSequence & Sendable>(
        _ elements: Elements, cause: @escaping @Sendable (Int) -> Void
    ) where Elements.Failure == Never {
        self.cause = cause
        task = Task.detached { [arrival] in
            for await _ in elements { arrival.time.store(Clock.wall.bitPattern, ordering: .releasing) }
        }
    }

    convenience init<Elements: AsyncSequence & Sendable>(
        _ elements: Elements, write watched: Watched
    ) where Elements.Failure == Never {
        let key = FlagKeyPath("written")
        self.init(elements) { watched.memory.setValue(.bool($0 & 1 == 0), for: key) }
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

    var time: Double {
        let sorted = times.withLock { $0.sorted() }
        return sorted.isEmpty ? .nan : sorted[sorted.count / 4]
    }
}
