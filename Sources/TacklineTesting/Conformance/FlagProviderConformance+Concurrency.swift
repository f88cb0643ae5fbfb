import Dispatch
import Synchronization
import TacklineCore

// Dispatch: a read that may hang needs a thread of its own and a limit.

extension FlagProviderConformance {
    private static var writerCount: Int { 4 }

    private func makeWritable(_ run: FlagProviderCheckRun) async throws -> (any WritableFlagProvider)? {
        if let provider = try await make() as? any WritableFlagProvider { return provider }
        run.skip("the provider cannot be written to by several writers at once")
        return nil
    }

    private var writesForEachWriter: Int { max(concurrentWrites / FlagProviderConformance.writerCount, 2) }

    func checkConcurrentReadsAndWrites(_ run: FlagProviderCheckRun) async throws {
        guard let provider = try await makeWritable(run) else { return }
        let key: FlagKeyPath = "tackline_concurrent/flag"
        let recorder = FlagNoticeRecorder()
        let observer = recorder.makeObserver()
        _ = provider.observe(observer)
        let writers = Writers()
        let count = writesForEachWriter
        await withTaskGroup(of: Void.self) { group in
            for reader in 0..<2 {
                group.addTask {
                    var reads = 0
                    while !writers.areDone.load(ordering: .acquiring) || reads < 100 {
                        reads += 1
                        let value = provider.value(for: key)
                        run.expect(isWhole(value), "reader \(reader) saw \(phrase(value)), which nobody wrote")
                        await Task.yield()
                    }
                }
            }
            await writeConcurrently { writer in
                for step in 0..<count {
                    let text = EncodedFlagValue.string("\(writer).\(step)")
                    write(.array([text, text]), for: key, to: provider, run)
                    run.expect(provider.value(for: key) != nil, "a value is gone after it was written")
                }
            }
            writers.areDone.store(true, ordering: .releasing)
        }
        for change in recorder.changes where !isWhole(change.new) {
            run.fail("a notice told \(phrase(change.new)), which nobody wrote")
        }
        withExtendedLifetime(observer) {}
    }

    func checkOrderOfNotices(_ run: FlagProviderCheckRun) async throws {
        guard let (provider, recorder, observer) = try await makeObservedWritable(run) else { return }
        let count = writesForEachWriter
        await writeConcurrently { writer in
            for step in 1...count {
                write(.integer(Int128(step)), for: FlagKeyPath("tackline_order/flag_\(writer)"), to: provider, run)
            }
        }
        guard !recorder.hasReset else { return }
        for writer in 0..<FlagProviderConformance.writerCount {
            let key = FlagKeyPath("tackline_order/flag_\(writer)")
            let told = recorder.changes.filter { $0.key == key }.map(\.new)
            let expected: [EncodedFlagValue?] = (1...count).map { .integer(Int128($0)) }
            guard told != expected else { continue }
            let place = zip(told, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset
            run.fail(
                """
                writer \(writer) wrote 1 to \(count) to its own key; \(told.count) changes of it were told\
                \(place.map { ", and number \($0 + 1) tells \(phrase(told[$0]))" } ?? ""). Commit and announce under \
                one lock
                """
            )
        }
        withExtendedLifetime(observer) {}
    }

    func checkLastNotice(_ run: FlagProviderCheckRun) async throws {
        guard let (provider, recorder, observer) = try await makeObservedWritable(run) else { return }
        let key: FlagKeyPath = "tackline_last/flag"
        let count = writesForEachWriter
        await writeConcurrently { writer in
            for step in 0..<count {
                write(.integer(Int128(writer * count + step)), for: key, to: provider, run)
            }
        }
        let value = provider.value(for: key)
        guard !recorder.hasReset else { return }
        let changes = recorder.changes.filter { $0.key == key }
        run.expect(
            changes.last?.new == value,
            """
            after many concurrent writers the value is \(phrase(value)) and the last notice tells \
            \(phrase(changes.last?.new)), so whoever follows notices ends on a stale value. Announce before you let go \
            of the lock under which you change the value
            """
        )
        for (earlier, later) in zip(changes, changes.dropFirst()) where earlier.new != later.old {
            run.fail(
                """
                one notice tells a change to \(phrase(earlier.new)), and the next one a change from \
                \(phrase(later.old)): one is missing, or they come out of order
                """
            )
        }
        withExtendedLifetime(observer) {}
    }

    func checkReadsDoNotWait(_ run: FlagProviderCheckRun) async throws {
        guard let stuckWrite else {
            return run.skip("the suite does not know how to make a write hang. Set `stuckWrite` to check this")
        }
        let provider = try await make()
        let keys = Array(held.keys) + ["tackline_stuck/flag"]
        try await stuckWrite(provider) {
            let isDone = DispatchSemaphore(value: 0)
            // A queue of our own gets a thread even if all those of the global queues are busy.
            DispatchQueue(label: "tackline.conformance.reads").async {
                for key in keys { _ = provider.value(for: key) }
                _ = provider.status
                isDone.signal()
            }
            let limit = stuckReadLimit.components
            let seconds = Double(limit.seconds) + Double(limit.attoseconds) / 1e18
            run.expect(
                isDone.wait(timeout: .now() + seconds) == .success,
                """
                a read waited for a write that was stuck. Keep the values under a lock that is only held to look \
                them up or to swap them, as FlagProviderStore.update(_:persist:) does
                """
            )
        }
    }

    // MARK: Parts

    private func makeObservedWritable(
        _ run: FlagProviderCheckRun
    ) async throws -> (any WritableFlagProvider, FlagNoticeRecorder, FlagProviderObserver)? {
        guard let provider = try await makeWritable(run) else { return nil }
        let recorder = FlagNoticeRecorder()
        let observer = recorder.makeObserver()
        guard provider.observe(observer) else {
            run.skip("the provider says that it cannot tell changes")
            return nil
        }
        return (provider, recorder, observer)
    }

    /// Whether a value is nothing yet, or the pair of equal texts that writers write.
    private func isWhole(_ value: EncodedFlagValue?) -> Bool {
        guard let value else { return true }
        guard case .array(let pair) = value else { return false }
        return pair.count == 2 && pair[0] == pair[1]
    }

    private func writeConcurrently(_ body: @escaping @Sendable (_ writer: Int) -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<FlagProviderConformance.writerCount {
                group.addTask { body(writer) }
            }
        }
    }

    private func write(
        _ value: EncodedFlagValue, for key: FlagKeyPath, to provider: any WritableFlagProvider,
        _ run: FlagProviderCheckRun
    ) {
        do throws(FlagProviderError) {
            try provider.setValue(value, for: key)
        } catch {
            run.fail("one of several concurrent writers got an error: \(error)")
        }
    }
}

/// Tells readers when the writers are done.
private final class Writers: Sendable {
    let areDone = Atomic<Bool>(false)
}
