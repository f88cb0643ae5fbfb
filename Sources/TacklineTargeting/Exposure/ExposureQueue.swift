import Synchronization
import TacklineCore
import TacklineFiles

/// The exposures that wait to be delivered. A task, which holds the queue, delivers them one batch at a time.
final class ExposureQueue: Sendable {
    private struct Batch {
        var exposures: [FlagExposure] = []
        var bytes = 0
    }

    private struct State {
        /// The batch that the observer was given last and has not taken.
        var current: Batch?
        /// The full batches after it, from `first` on.
        var full: [Batch] = []
        var first = 0
        /// The batch that is being filled.
        var pending = Batch()
        var bytes = 0
        /// The numbers of exposures that were ever appended and that were ever taken by the observer.
        var appended = 0
        var taken = 0
        var dropped = 0
        /// The number of exposures that a flush asks to deliver, including batches that aren't full.
        var flushed = 0
        var flushes: [Flush] = []
        /// The number of calls of the observer, and the number of refusals since a call succeeded.
        var attempts = 0
        var refusals = 0
        var isDelivering = false
        var isPausing = false
        var isFinished = false
        /// Whether drops have been reported since a batch was taken.
        var hasReportedDrops = false

        var isDue: Bool {
            current != nil || first < full.count || !pending.exposures.isEmpty && taken < flushed
        }

        /// Returns whether the caller must start a task that delivers.
        mutating func start() -> Bool {
            guard !isDelivering, isDue else { return false }
            isDelivering = true
            return true
        }
    }

    private struct Flush {
        /// The number of exposures that had been appended.
        var end: Int
        /// The first attempt that began after it.
        var attempt: Int
        let result = FlagPromise<Bool>()
    }

    private let observer: any ExposureObserver
    private let batchSize: Int
    private let maximumBytes: Int
    private let reporter: FlagIssueReporter
    private let clock: any Clock<Duration>
    private let state = Mutex(State())
    /// The number of refusals of a batch after which it is dropped once the recorder is gone.
    private static let lastAttempts = 3

    init(
        observer: any ExposureObserver, batchSize: Int, maximumBytes: Int, reporter: FlagIssueReporter,
        clock: any Clock<Duration>
    ) {
        self.observer = observer
        self.batchSize = batchSize
        self.maximumBytes = maximumBytes
        self.reporter = reporter
        self.clock = clock
    }

    var droppedCount: Int { state.withLock { $0.dropped } }
    var waitingCount: Int { state.withLock { $0.appended - $0.taken } }

    // MARK: Recording

    /// Appends an exposure, or counts it as dropped if there is no room for it. Call ``deliver()`` afterwards.
    func append(_ exposure: FlagExposure, bytes: Int) -> Bool {
        state.withLock { state in
            guard state.bytes + bytes <= maximumBytes else {
                state.dropped += 1
                return false
            }
            state.pending.exposures.append(exposure)
            state.pending.bytes += bytes
            state.bytes += bytes
            state.appended += 1
            if state.pending.exposures.count >= batchSize {
                state.full.append(state.pending)
                state.pending = Batch()
            }
            return true
        }
    }

    /// Starts to deliver if a batch is full, and reports drops.
    func deliver() {
        let (starts, dropped) = state.withLock { state in
            let reports = state.dropped > 0 && !state.hasReportedDrops
            if reports { state.hasReportedDrops = true }
            return (!state.isPausing && state.start(), reports ? state.dropped : nil)
        }
        if starts { run() }
        if let dropped {
            reporter.report(.droppedExposures(dropped, "more than \(maximumBytes.byteText) were waiting"))
        }
    }

    /// Delivers the exposures that wait. Returns `false` if the observer refused a batch that it was given after the
    /// call.
    func flush() async -> Bool {
        let (flush, starts) = state.withLock { state -> (Flush?, Bool) in
            guard state.taken < state.appended else { return (nil, false) }
            state.flushed = state.appended
            let flush = Flush(end: state.appended, attempt: state.attempts + 1)
            state.flushes.append(flush)
            return (flush, state.start())
        }
        if starts { run() }
        return await flush?.result.waitDespiteCancellation() ?? true
    }

    /// Delivers the exposures that wait when no more will come.
    func finish() {
        let starts = state.withLock { state in
            state.isFinished = true
            state.flushed = state.appended
            state.refusals = 0
            return state.start()
        }
        if starts { run() }
    }

    // MARK: Delivery

    private func run() {
        Task.detached { [self] in
            while let exposures = nextBatch() {
                do {
                    try await observer.observe(exposures)
                    wasTaken()
                } catch {
                    guard wasRefused(exposures.count, error) else { return }
                }
            }
        }
    }

    /// Returns the batch to deliver, or `nil` if there is none, which ends the task.
    private func nextBatch() -> [FlagExposure]? {
        state.withLock { state in
            if state.current == nil {
                if state.first < state.full.count {
                    // Exchanged, so that nothing is released under the lock.
                    var batch = Batch()
                    swap(&batch, &state.full[state.first])
                    state.current = batch
                    state.first += 1
                    if state.first == state.full.count || state.first > 64 && 2 * state.first > state.full.count {
                        state.full.removeFirst(state.first)
                        state.first = 0
                    }
                } else if state.isDue {
                    state.current = state.pending
                    state.pending = Batch()
                } else {
                    state.isDelivering = false
                    return nil
                }
            }
            state.attempts += 1
            return state.current?.exposures
        }
    }

    private func wasTaken() {
        var batch: Batch?
        let done = state.withLock { state in
            swap(&batch, &state.current)
            state.taken += batch?.exposures.count ?? 0
            state.bytes -= batch?.bytes ?? 0
            (state.refusals, state.isPausing, state.hasReportedDrops) = (0, false, false)
            let done = state.flushes.filter { $0.end <= state.taken }
            state.flushes.removeAll { $0.end <= state.taken }
            return done
        }
        reporter.resolve(.undeliveredExposures)
        for flush in done { flush.result.resolve(true) }
    }

    /// Returns whether to deliver the batch again at once, for a flush that came meanwhile.
    private func wasRefused(_ count: Int, _ error: any Error) -> Bool {
        var rest = State()
        let (failed, goesOn, refusals, isLast) = state.withLock { state in
            state.refusals += 1
            let isLast = state.isFinished && state.refusals >= Self.lastAttempts
            let attempts = isLast ? .max : state.attempts
            let failed = state.flushes.filter { $0.attempt <= attempts }
            state.flushes.removeAll { $0.attempt <= attempts }
            if isLast {
                let waiting = state.appended - state.taken
                (rest.current, rest.full, rest.pending) = (state.current, state.full, state.pending)
                (state.current, state.full, state.pending, state.first) = (nil, [], Batch(), 0)
                rest.dropped = waiting
                state.dropped += waiting
                (state.taken, state.bytes) = (state.appended, 0)
            }
            let goesOn = !isLast && !state.flushes.isEmpty
            if !goesOn { (state.isDelivering, state.isPausing) = (false, true) }
            return (failed, goesOn, state.refusals, isLast)
        }
        for flush in failed { flush.result.resolve(false) }
        if isLast {
            let dropped = rest.dropped == 1 ? "it" : "them"
            reporter.report(.droppedExposures(rest.dropped, "the observer refused \(dropped): \(error)"))
        } else {
            if refusals == 1 { reporter.report(.refusedExposures(count, error)) }
            if !goesOn { pause(after: refusals) }
        }
        return goesOn
    }

    /// Delivers again after a time that doubles with each refusal, up to a minute. Half of it is random, so that many
    /// processes don't call a server at the same moment.
    private func pause(after refusals: Int) {
        let longest = Duration.seconds(min(60, 1 << min(refusals - 1, 6)))
        let delay = longest * Double.random(in: 0.5...1)
        Task.detached { [self] in
            try? await clock.sleep(for: delay)
            let starts = state.withLock { state in
                state.isPausing = false
                return state.start()
            }
            if starts { run() }
        }
    }
}
