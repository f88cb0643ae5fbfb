import Dispatch
import Synchronization
import TacklineCore

// Dispatch: a write that may hang needs its own thread and a time limit.

extension FlagProviderConformance {
    /// Pauses a write in the middle of its notice, and reads from another thread meanwhile.
    ///
    /// This forces an order of events that rarely occurs by chance. A provider that sends notices under the lock of the
    /// change blocks the read, so the suite waits for a limited time and continues.
    func checkReadableChanges(_ run: FlagProviderCheckRun) async throws {
        guard let provider = try await writableProvider(run) else { return }
        let key: FlagKeyPath = "tackline_readable/flag"
        for (old, new) in [(nil, 1), (1, 2), (2, nil)] as [(EncodedFlagValue?, EncodedFlagValue?)] {
            let read = ForcedRead { provider.value(for: key) }
            let observer = FlagProviderObserver { [read] news, _ in
                if news.concerns(key) { read.performOnce() }
            }
            guard provider.observe(observer) else { return run.skip(Self.cannotTellChanges) }
            try provider.setValue(new, for: key)
            withExtendedLifetime(observer) {}
            guard read.hasBegun else { return }
            let value = read.finalResult()
            if let value, value != new {
                run.fail(
                    key,
                    "a read during the notice of the change from \(phrase(old)) to \(phrase(new)) gives \(phrase(value))",
                    "announce a change after the value can be read")
            }
        }
    }

    /// Writes a second time while the notice of a first write is being sent.
    func checkForcedOrder(_ run: FlagProviderCheckRun) async throws {
        guard let provider = try await writableProvider(run) else { return }
        for round in 0..<2 {
            let key = FlagKeyPath("tackline_order/forced_\(round)")
            // The second round writes to another key during the notice.
            let other = round == 0 ? key : "tackline_order/other"
            let recorder = FlagNoticeRecorder()
            let write = ForcedWrite { try provider.setValue(2, for: other) }
            let observer = FlagProviderObserver { [recorder, write] news, _ in
                recorder.record(news)
                guard news.concerns(key) || news.concerns(other) else { return }
                if !write.hasBegun { write.performDuringNotice() } else { write.noteNotice() }
            }
            guard provider.observe(observer) else { return run.skip(Self.cannotTellChanges) }
            try provider.setValue(1, for: key)
            guard write.hasBegun else { continue }
            guard write.waitForEnd() else {
                run.fail(
                    other, "a write from another thread, begun while a notice was being sent, hasn't returned",
                    "call no observer while you wait for another thread")
                continue
            }
            withExtendedLifetime(observer) {}
            if let error = write.error {
                run.fail(other, "a write from another thread threw \(error)", "let all threads write")
            }
            if write.hasOverlapped {
                run.fail(
                    key, "the notice of a second write was sent while that of the first one was being sent",
                    "send notices before you release the lock under which you change the value, so that their order is that of "
                        + "the changes")
            }
            if !recorder.hasReset {
                let changes = recorder.changes.filter { $0.key == other }
                if changes.isEmpty {
                    run.fail(other, "a write during a notice of another one was not announced", "announce every change")
                }
                expectChain(changes, of: other, endingWith: 2, run)
            }
        }
    }

    /// Checks that each change of a key begins with the value with which the previous one ended.
    func expectChain(
        _ changes: [FlagProviderChange], of key: FlagKeyPath, endingWith value: EncodedFlagValue?,
        _ run: FlagProviderCheckRun
    ) {
        for (earlier, later) in zip(changes, changes.dropFirst()) where earlier.new != later.old {
            let isTwice = earlier == later
            return run.fail(
                key,
                isTwice
                    ? "the change from \(phrase(earlier.old)) to \(phrase(earlier.new)) was announced twice"
                    : """
                    a change to \(phrase(earlier.new)) was announced, and next a change from \(phrase(later.old)), so that one \
                    is missing or out of order
                    """,
                isTwice
                    ? "announce each change once"
                    : "announce every change under the lock under which you make it")
        }
        if let last = changes.last, last.new != value {
            run.fail(
                key,
                "the value is \(phrase(value)) after concurrent writes, and the last notice says \(phrase(last.new))",
                "announce every change under the lock under which you make it")
        }
    }

    static var cannotTellChanges: String { "the provider says that it cannot tell changes" }

    func writableProvider(_ run: FlagProviderCheckRun) async throws -> (any WritableFlagProvider)? {
        if let provider = try await make() as? any WritableFlagProvider { return provider }
        run.skip("the provider cannot be written to by several writers at once")
        return nil
    }
}

extension FlagProviderNotice {
    /// Returns whether a notice may concern a key.
    fileprivate func concerns(_ key: FlagKeyPath) -> Bool {
        switch self {
        case .changed(let changes): changes.contains { $0.key.isRelated(to: key) }
        // Notices without values can't be distinguished.
        case .reset, .subjectChanged: false
        }
    }
}

/// Waits for a signal of another thread, in 20 slices, so that a machine under load delays both threads equally.
func isSignalled(_ semaphore: DispatchSemaphore, within limit: Duration) -> Bool {
    let (seconds, attoseconds) = (limit / 20).components
    let slice = Double(seconds) + Double(attoseconds) / 1e18
    return (0..<20).contains { _ in semaphore.wait(timeout: .now() + slice) == .success }
}

/// The time for which a correct provider blocks the other thread, and so the suite.
private let patience = Duration.milliseconds(60)

/// A read from another thread during a notice.
private final class ForcedRead: Sendable {
    private let read: @Sendable () -> EncodedFlagValue?
    private let begun = Atomic<Bool>(false)
    private let result = Mutex<EncodedFlagValue??>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    init(_ read: @escaping @Sendable () -> EncodedFlagValue?) { self.read = read }

    var hasBegun: Bool { begun.load(ordering: .acquiring) }

    func performOnce() {
        guard !begun.exchange(true, ordering: .acquiringAndReleasing) else { return }
        DispatchQueue(label: "tackline.conformance.reader").async { [self] in
            let value = read()
            result.withLock { $0 = .some(value) }
            isDone.signal()
        }
        // Signals a second time, because `finalResult()` waits again.
        if isSignalled(isDone, within: patience) { isDone.signal() }
    }

    /// Returns the value that was read, or `nil` if the read hasn't returned, which another check reports.
    func finalResult() -> EncodedFlagValue?? {
        _ = isSignalled(isDone, within: .seconds(10))
        return result.withLock { $0 }
    }
}

/// A write from another thread during a notice.
private final class ForcedWrite: Sendable {
    private struct State {
        var hasBegun = false
        var isInNotice = false
        var hasOverlapped = false
        var error: (any Error)?
    }

    private let write: @Sendable () throws -> Void
    private let state = Mutex(State())
    private let isBeginning = DispatchSemaphore(value: 0)
    private let overlap = DispatchSemaphore(value: 0)
    private let isDone = DispatchSemaphore(value: 0)

    init(_ write: @escaping @Sendable () throws -> Void) { self.write = write }

    var hasBegun: Bool { state.withLock { $0.hasBegun } }
    var hasOverlapped: Bool { state.withLock { $0.hasOverlapped } }
    var error: (any Error)? { state.withLock { $0.error } }

    func performDuringNotice() {
        state.withLock { ($0.hasBegun, $0.isInNotice) = (true, true) }
        DispatchQueue(label: "tackline.conformance.writer").async { [self] in
            isBeginning.signal()
            do { try write() } catch { state.withLock { $0.error = error } }
            isDone.signal()
        }
        isBeginning.wait()
        _ = isSignalled(overlap, within: patience)
        state.withLock { $0.isInNotice = false }
    }

    func noteNotice() {
        state.withLock { state in
            if state.isInNotice { state.hasOverlapped = true }
        }
        overlap.signal()
    }

    /// Returns whether the write has returned.
    func waitForEnd() -> Bool { isSignalled(isDone, within: .seconds(10)) }
}
