import Dispatch
import Synchronization
import TacklineCore
import TacklineCLibrary

// Dispatch: a read that may hang needs its own thread and a time limit.

extension FlagProviderConformance {
    private static var writerCount: Int { 4 }

    // MARK: Reads and writes

    func checkConcurrentReadsAndWrites(_ run: FlagProviderCheckRun) async throws {
        guard let provider = try await writableProvider(run) else { return }
        let key: FlagKeyPath = "tackline_concurrent/flag"
        let recorder = FlagNoticeRecorder()
        let observer = recorder.makeObserver()
        _ = provider.observe(observer)
        let isOver = Flag()
        let newValues = Mutex(0)
        // Dedicated threads that read as fast as they can, because the time between two halves of a write is short.
        await onThreads(4) { [self] thread in
            guard thread < 2 else {
                var last: EncodedFlagValue?
                repeat {
                    if let value = provider.value(for: key), value != last {
                        if last != nil { newValues.withLock { $0 += 1 } }
                        last = value
                    }
                    for value in [provider.value(for: key), provider.evaluation(for: key).value]
                    where !isWhole(value) {
                        return run.fail(
                            key, "a read during a write gives \(phrase(value)), which was never written",
                            "replace the whole value under one lock")
                    }
                } while !isOver.value.load(ordering: .acquiring)
                return
            }
            let start = ContinuousClock.now
            // On a busy machine the readers see few of the writes, so the writers go on for longer.
            var isEnough: Bool {
                let time = ContinuousClock.now - start
                return time > .milliseconds(600) || time > .milliseconds(150) && newValues.withLock { $0 > 2_000 }
            }
            var step = 0
            while step < 20 || !isEnough && run.outcome.failures.isEmpty {
                let text = EncodedFlagValue.string("\(thread).\(step)")
                write(.array([text, text]), for: key, to: provider, run)
                if provider.value(for: key) == nil {
                    run.fail(key, "a value is gone after it was written", "keep the last value that is written")
                }
                step += 1
            }
            isOver.value.store(true, ordering: .releasing)
        }
        for change in recorder.changes where !isWhole(change.new) {
            run.fail(
                key, "a notice says \(phrase(change.new)), which was never written", "announce whole values only")
        }
        withExtendedLifetime(observer) {}
    }

    // MARK: Order

    func checkOrderOfNotices(_ run: FlagProviderCheckRun) async throws {
        try await checkForcedOrder(run)
        guard run.outcome.skipReason == nil, run.outcome.failures.isEmpty else { return }
        guard let (provider, recorder, observer) = try await makeObservedWritable(run) else { return }
        let counts = await writeConcurrently(to: provider, run) { writer, step in
            (FlagKeyPath("tackline_order/flag_\(writer)"), step)
        }
        guard !recorder.hasReset else { return }
        for (writer, count) in counts {
            let key = FlagKeyPath("tackline_order/flag_\(writer)")
            let announced = recorder.changes.filter { $0.key == key }
            let expected: [EncodedFlagValue?] = (1...count).map { .integer(Int128($0)) }
            guard announced.map(\.new) != expected else { continue }
            run.fail(
                key, "one thread wrote 1 to \(count), and the notices say \(outline(announced))",
                "announce every change under the lock under which you make it")
        }
        withExtendedLifetime(observer) {}
    }

    func checkLastNotice(_ run: FlagProviderCheckRun) async throws {
        guard let (provider, recorder, observer) = try await makeObservedWritable(run) else { return }
        let key: FlagKeyPath = "tackline_last/flag"
        _ = await writeConcurrently(to: provider, run) { writer, step in (key, writer * 1_000_000 + step) }
        guard !recorder.hasReset else { return }
        let changes = recorder.changes.filter { $0.key == key }
        if changes.isEmpty {
            run.fail(key, "concurrent writes announced nothing", "announce every change")
        }
        expectChain(changes, of: key, endingWith: provider.value(for: key), run)
        withExtendedLifetime(observer) {}
    }

    // MARK: Reads that wait

    func checkReadsDoNotWait(_ run: FlagProviderCheckRun) async throws {
        let provider = try await make()
        let keys = Array(held.keys) + ["tackline_stuck/flag"]
        checkTimes(ofReading: keys, from: provider, run)
        guard run.outcome.failures.isEmpty else { return }
        if let stuckWrite {
            try await stuckWrite(provider) {
                expectReturns(run, "a read waits for a write that is stuck") {
                    for key in keys { _ = provider.value(for: key) }
                    _ = provider.status
                }
            }
        } else if let provider = provider as? any WritableFlagProvider {
            await checkReadsDuringWrites(provider, run)
        } else {
            run.skip("the suite does not know how to make a write hang. Set `stuckWrite` to check this")
        }
    }

    /// Compares the times of reads with those of reads from a dictionary, which take turns with them.
    private func checkTimes(ofReading keys: [FlagKeyPath], from provider: any FlagProvider, _ run: FlagProviderCheckRun)
    {
        let plain = Mutex<[FlagKeyPath: EncodedFlagValue]>([:])
        // The shortest of many times, because a busy machine affects it least.
        let quickest = Mutex((read: Duration.seconds(3600), plain: Duration.seconds(3600), count: 0))
        let isSlow: @Sendable () -> Bool = {
            quickest.withLock { $0.read > .milliseconds(2) && $0.read > $0.plain * 100 }
        }
        expectReturns(run, "a read hasn't returned after \(stuckReadLimit)") {
            for number in 0..<10 * keys.count where run.outcome.failures.isEmpty && (number < 20 || !isSlow()) {
                let key = keys[number % keys.count]
                let start = ContinuousClock.now
                _ = provider.value(for: key)
                let middle = ContinuousClock.now
                _ = plain.withLock { $0[key] }
                let end = ContinuousClock.now
                quickest.withLock {
                    $0 = (min($0.read, middle - start), min($0.plain, end - middle), number + 1)
                }
            }
        }
        guard run.outcome.failures.isEmpty, isSlow() else { return }
        let (time, _, count) = quickest.withLock { $0 }
        let words = "\(Int(time / .milliseconds(1))) milliseconds"
        run.fail(keys[0], "the quickest of \(count) reads took \(words)", Self.adviceForReads)
    }

    /// Compares the times of reads with those of concurrent writes.
    private func checkReadsDuringWrites(_ provider: any WritableFlagProvider, _ run: FlagProviderCheckRun) async {
        let key: FlagKeyPath = "tackline_stuck/flag"
        typealias Interval = (start: ContinuousClock.Instant, end: ContinuousClock.Instant)
        let intervals = Mutex<(reads: [Interval], writes: [Interval])>(([], []))
        let isOver = Flag()
        await onThreads(2) { thread in
            let began = ContinuousClock.now
            var step = 0
            while thread == 0
                ? step < 30 && ContinuousClock.now - began < .milliseconds(100) || step < 5
                : !isOver.value.load(ordering: .acquiring)
            {
                step += 1
                let start = ContinuousClock.now
                if thread == 0 {
                    write(.integer(Int128(step)), for: key, to: provider, run)
                } else {
                    _ = provider.value(for: key)
                }
                let interval = (start, ContinuousClock.now)
                intervals.withLock { if thread == 0 { $0.writes.append(interval) } else { $0.reads.append(interval) } }
                // A few reads for each write are enough.
                if thread == 1 { usleep(50) }
            }
            if thread == 0 { isOver.value.store(true, ordering: .releasing) }
        }
        let (reads, writes) = intervals.withLock { ($0.reads, $0.writes) }
        let slow = writes.filter { $0.end - $0.start > .milliseconds(1) }
        guard slow.count * 2 > writes.count else {
            return run.skip("writes are too quick to tell whether reads wait for them. Set `stuckWrite` to check this")
        }
        // At its start and end, a write may not hold its lock.
        let isRead = slow.contains { write in
            let margin = (write.end - write.start) / 5
            return reads.contains { $0.start > write.start + margin && $0.end < write.end - margin }
        }
        // A reader that the system doesn't schedule proves nothing, so reads must be seen waiting.
        let waits = slow.count { write in
            let margin = (write.end - write.start) / 5
            return reads.contains {
                $0.start > write.start && $0.start < write.end - margin && $0.end >= write.end - margin
            }
        }
        if !isRead, waits * 2 > slow.count {
            run.fail(key, "no read returned during any of \(slow.count) writes", Self.adviceForReads)
        }
    }

    private static var adviceForReads: String {
        "keep the values in memory, under a lock that is only held to look them up or to swap them"
    }

    private func expectReturns(_ run: FlagProviderCheckRun, _ fault: String, _ body: @escaping @Sendable () -> Void) {
        let isDone = DispatchSemaphore(value: 0)
        // A separate queue gets a thread even if all threads of the global queues are busy.
        DispatchQueue(label: "tackline.conformance.reads").async {
            body()
            isDone.signal()
        }
        let hasReturned = (0..<20).contains { _ in
            if isSignalled(isDone, within: stuckReadLimit / 20) { return true }
            // A machine under load delays this thread as long as it delays the reader.
            let hasRun = DispatchSemaphore(value: 0)
            DispatchQueue(label: "tackline.conformance.control").async { hasRun.signal() }
            _ = hasRun.wait(timeout: .now() + 5)
            return false
        }
        if !hasReturned { run.fail("tackline_stuck/flag", fault, Self.adviceForReads) }
    }

    // MARK: Parts

    private func makeObservedWritable(
        _ run: FlagProviderCheckRun
    ) async throws -> (any WritableFlagProvider, FlagNoticeRecorder, FlagProviderObserver)? {
        guard let provider = try await writableProvider(run) else { return nil }
        let recorder = FlagNoticeRecorder()
        let observer = recorder.makeObserver()
        guard provider.observe(observer) else {
            run.skip(Self.cannotTellChanges)
            return nil
        }
        return (provider, recorder, observer)
    }

    /// Returns whether a value is absent or a pair of equal texts, as the writers write it.
    private func isWhole(_ value: EncodedFlagValue?) -> Bool {
        guard let value else { return true }
        guard case .array(let pair) = value else { return false }
        return pair.count == 2 && pair[0] == pair[1]
    }

    /// Calls a closure on several threads at once, and returns when all calls have returned.
    private func onThreads(_ count: Int, _ body: @escaping @Sendable (_ thread: Int) -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<count {
                group.addTask {
                    let end = FlagPromise<Void>()
                    DispatchQueue(label: "tackline.conformance.thread").async {
                        body(thread)
                        end.resolve(())
                    }
                    await end.waitDespiteCancellation()
                }
            }
        }
    }

    /// Writes on several threads at once, and returns how often each of them wrote.
    private func writeConcurrently(
        to provider: any WritableFlagProvider, _ run: FlagProviderCheckRun,
        _ next: @escaping @Sendable (_ writer: Int, _ step: Int) -> (FlagKeyPath, Int)
    ) async -> [Int: Int] {
        let counts = Mutex<[Int: Int]>([:])
        let limit = max(concurrentWrites / Self.writerCount, 2)
        await onThreads(Self.writerCount) { writer in
            let start = ContinuousClock.now
            for step in 1...limit where step <= 10 || ContinuousClock.now - start < .milliseconds(250) {
                let (key, value) = next(writer, step)
                write(.integer(Int128(value)), for: key, to: provider, run)
                counts.withLock { $0[writer] = step }
            }
        }
        return counts.withLock { $0 }
    }

    private func write(
        _ value: EncodedFlagValue, for key: FlagKeyPath, to provider: any WritableFlagProvider,
        _ run: FlagProviderCheckRun
    ) {
        do {
            try provider.setValue(value, for: key)
        } catch {
            run.fail(key, "one of several concurrent writers got an error, \(error)", "let several threads write")
        }
    }
}

/// A flag that signals to readers that the writers are done.
private final class Flag: Sendable {
    let value = Atomic<Bool>(false)
}
