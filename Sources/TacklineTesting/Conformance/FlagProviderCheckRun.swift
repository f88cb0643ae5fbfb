import Synchronization
import TacklineCore

/// Collects what one check finds. Safe from any thread.
final class FlagProviderCheckRun: Sendable {
    struct Outcome: Sendable {
        var failures: [FlagProviderConformanceFailure] = []
        var skipReason: String?
    }

    private let check: FlagProviderCheck
    private let state = Mutex(Outcome())

    init(_ check: FlagProviderCheck) {
        self.check = check
    }

    var outcome: Outcome { state.withLock { $0 } }

    func fail(_ message: String) {
        state.withLock { state in
            // A broken rule is often broken a thousand times over.
            guard state.failures.count < 10 else { return }
            state.failures.append(FlagProviderConformanceFailure(check: check, message: message))
        }
    }

    func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
        if !condition { fail(message()) }
    }

    func skip(_ reason: String) {
        state.withLock { $0.skipReason = reason }
    }
}

/// Keeps the notices that an observer is told, in their order.
final class FlagNoticeRecorder: Sendable {
    private let recorded = Mutex<[FlagProviderNotice]>([])

    var notices: [FlagProviderNotice] { recorded.withLock { $0 } }

    /// The changes of all notices, one after the other.
    var changes: [FlagProviderChange] {
        notices.flatMap { notice -> [FlagProviderChange] in
            if case .changed(let changes) = notice { changes } else { [] }
        }
    }

    /// Whether the provider ever said that anything may have changed.
    var hasReset: Bool { notices.contains(.reset) || notices.contains(.subjectChanged) }

    func makeObserver() -> FlagProviderObserver {
        FlagProviderObserver { [self] news, _ in recorded.withLock { $0.append(news.notice) } }
    }
}

/// The value as messages show it; `nil` is "nothing".
func phrase(_ value: EncodedFlagValue?) -> String {
    value.map { "\($0)" } ?? "nothing"
}
