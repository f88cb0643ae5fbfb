import Dispatch
import Synchronization
import TacklineCLibrary
import TacklineCore

// Dispatch: a read that may hang needs its own thread and a time limit.

extension ConformanceRun {
    private static let adviceForReads =
        "keep the values in memory, under a lock that is only held to look them up or to swap them"

    /// Checks the name, and that reads don't wait.
    func checkReads() async throws {
        if provider.name.isEmpty || provider.name != provider.name {
            results.fail(.name, "the name is empty or differs from one call to the next; make it a constant")
        }
        let key: FlagKeyPath = "tackline_stuck/flag"
        let keys = suite.held.map(\.key) + [key]
        expectReturns("a read hasn't returned after \(suite.stuckReadLimit)") { [self] in
            // The shortest of many times, because a busy machine affects it least.
            let times = (0..<20).map { number in
                ContinuousClock().measure { _ = provider.value(for: keys[number % keys.count]) }
            }
            guard let quickest = times.min(), quickest > .milliseconds(2) else { return }
            let fault = "each of \(times.count) reads took more than two milliseconds"
            fail(.readsDoNotWait, keys[0], fault, Self.adviceForReads)
        }
        guard !results.failed(.readsDoNotWait) else { return }
        if let stuckWrite = suite.stuckWrite {
            try await stuckWrite(provider) { [self] in
                expectReturns("a read waits for a write that is stuck") { [self] in
                    for key in keys { _ = provider.value(for: key) }
                    _ = provider.status
                }
            }
        } else if isWritable {
            await checkReadsDuringWrites(key)
        } else {
            results.skip([.readsDoNotWait], "the suite can't make a write hang. Set `stuckWrite` to check this")
        }
    }

    /// Compares the times of reads with those of writes that are made at the same time.
    private func checkReadsDuringWrites(_ key: FlagKeyPath) async {
        let times = Mutex((reads: [Duration.zero], writes: [Duration]()))
        await onThreads(2) { [self] thread in
            for step in 0..<20 where thread == 0 {
                let time = ContinuousClock().measure { writeNow(.integer(Int128(step)), for: key) }
                times.withLock { $0.writes.append(time) }
            }
            while times.withLock({ $0.writes.count }) < 20 {
                let time = ContinuousClock().measure { _ = provider.value(for: key) }
                times.withLock { $0.reads.append(time) }
                usleep(100)
            }
        }
        // Half of the times at least were longer, and a busy machine doesn't make so many longer.
        let (read, write) = times.withLock { ($0.reads.sorted()[$0.reads.count / 2], $0.writes.sorted()[10]) }
        if write < .milliseconds(1) {
            results.skip([.readsDoNotWait], "writes are too quick to see reads wait. Set `stuckWrite` to check this")
        } else if read > write / 3 {
            let (reads, writes) = (Int(read / .microseconds(1)), Int(write / .microseconds(1)))
            let fault = "half of the reads took more than \(reads) µs, during writes that took \(writes) µs"
            fail(.readsDoNotWait, key, fault, Self.adviceForReads)
        }
    }

    /// Runs a closure on a thread of its own, and fails if it takes too long.
    private func expectReturns(_ fault: String, _ body: @escaping @Sendable () -> Void) {
        let end = DispatchSemaphore(value: 0)
        DispatchQueue(label: "tackline.conformance.read").async {
            body()
            end.signal()
        }
        guard !isSignalled(end, within: suite.stuckReadLimit) else { return }
        fail(.readsDoNotWait, "tackline_stuck/flag", fault, Self.adviceForReads)
    }

    // MARK: Writes on several threads

    func checkConcurrentWrites() async throws {
        guard isWritable else {
            return results.skip([.concurrentWrites], "the provider cannot be written to by several writers at once")
        }
        let shared: FlagKeyPath = "tackline_shared/flag"
        let keys = (0..<4).map { FlagKeyPath("tackline_order/flag_\($0)") }
        let limit = max(suite.concurrentWrites / keys.count, 2)
        // The writers' steps that were announced.
        let steps = Mutex([FlagKeyPath: Int]())
        let recorder = NoticeRecorder()
        let observer = recorder.makeObserver { [self] change in
            let step = steps.withLock { steps in
                steps[change.key, default: 0] += 1
                return steps[change.key] ?? 0
            }
            if suite.isReadInNotices, keys.contains(change.key) {
                read(change.key, atLeast: step, "a read on the thread of a notice")
            }
            // Long enough for another thread to send its notice, or to read, if no lock prevents it.
            usleep(50)
        }
        _ = provider.observe(observer)
        let finished = Mutex(0)
        await onThreads(keys.count + 2) { [self] thread in
            guard thread < keys.count else {
                while finished.withLock({ $0 }) < keys.count, !results.failed(.concurrentWrites) {
                    for key in keys { read(key, atLeast: steps.withLock { $0[key] ?? 0 }) }
                    read(shared, atLeast: 0)
                }
                return
            }
            let start = ContinuousClock.now
            for step in 1...limit where step <= 10 || ContinuousClock.now - start < .milliseconds(250) {
                writeNow(pair(step), for: keys[thread])
                writeNow(pair(thread * 1_000_000 + step), for: shared)
                read(shared, atLeast: 1)
            }
            finished.withLock { $0 += 1 }
        }
        withExtendedLifetime(observer) {}
        guard isObserved, !recorder.hasReset, !results.failed(.concurrentWrites) else { return }
        if recorder.hasOverlap {
            fail(.concurrentWrites, shared, "two notices were sent at the same time", Self.adviceForNotices)
        }
        for key in keys + [shared] { expectChain(of: key, in: recorder.changes) }
    }

    private static let adviceForNotices =
        "send notices under the lock under which you change the value, so that their order is that of the changes"

    /// Checks that each change of a key begins with the value with which the previous one ended, as does the present.
    private func expectChain(of key: FlagKeyPath, in changes: [FlagProviderChange]) {
        let now = FlagProviderChange(key: key, old: provider.value(for: key), new: nil)
        var last: EncodedFlagValue?
        for change in changes.filter({ $0.key == key }) + [now] {
            guard change.old == last else {
                let fault = "the value was \(phrase(change.old)) after a change to \(phrase(last)) was announced last"
                return fail(.concurrentWrites, key, fault, Self.adviceForNotices)
            }
            last = change.new
        }
    }

    /// Returns a value of which no half may be seen alone.
    private func pair(_ number: Int) -> EncodedFlagValue { ["\(number)", "\(number)"] }

    /// Reads a key that writers write, and checks that the value is whole and not older than the one that was announced.
    private func read(_ key: FlagKeyPath, atLeast announced: Int, _ action: String = "a read during writes") {
        for value in [provider.value(for: key), provider.evaluation(for: key).value] {
            var number = value == nil ? 0 : -1
            if case .array(let pair)? = value, pair.count == 2, pair[0] == pair[1], case .string(let text) = pair[0] {
                number = Int(text) ?? -1
            }
            guard number < announced || number < 0 else { continue }
            let fault = "\(action) gives \(phrase(value)), which is not a whole value or older than the last notice"
            let advice = "replace the whole value under one lock, and announce a change once it can be read"
            fail(.concurrentWrites, key, fault, advice)
        }
    }

    private func writeNow(_ value: EncodedFlagValue, for key: FlagKeyPath) {
        do {
            try (provider as? any WritableFlagProvider)?.setValue(value, for: key)
        } catch {
            fail(.concurrentWrites, key, "one of several writers got an error, \(error)", "let several threads write")
        }
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
}

/// Waits for a signal of another thread, in 20 slices, so that a machine under load delays both threads equally.
func isSignalled(_ semaphore: DispatchSemaphore, within limit: Duration) -> Bool {
    (0..<20).contains { _ in
        if semaphore.wait(timeout: .now() + limit / .seconds(20)) == .success { return true }
        let hasRun = DispatchSemaphore(value: 0)
        DispatchQueue(label: "tackline.conformance.control").async { hasRun.signal() }
        _ = hasRun.wait(timeout: .now() + 5)
        return false
    }
}
