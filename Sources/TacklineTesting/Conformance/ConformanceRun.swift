import Synchronization
import TacklineCore

/// Some checks of a provider that was made for them. They are in extensions.
final class ConformanceRun: Sendable {
    let suite: FlagProviderConformance
    let provider: any FlagProvider
    let results: ConformanceResults
    /// The notices of the provider.
    let notices = NoticeRecorder()
    /// Whether the provider notifies observers.
    let isObserved: Bool
    private let observer: FlagProviderObserver

    init(_ suite: FlagProviderConformance, _ provider: any FlagProvider, _ results: ConformanceResults) {
        (self.suite, self.provider, self.results) = (suite, provider, results)
        observer = notices.makeObserver()
        isObserved = provider.observe(observer)
    }

    var isWritable: Bool { provider is any WritableFlagProvider }

    /// Adds a failure with the key with which it occurs, the provider's behavior, and advice for its author.
    func fail(_ check: FlagProviderCheck, _ key: FlagKeyPath, _ fault: String, _ advice: String) {
        results.fail(check, "\"\(shortened(key.text))\": \(fault); \(advice)")
    }

    /// Writes a value, or removes it if it is `nil`, and returns the error of a provider that refuses it.
    @discardableResult
    func write(_ value: EncodedFlagValue?, for key: FlagKeyPath) async -> (any Error)? {
        do {
            if let provider = provider as? any WritableFlagProvider {
                try provider.setValue(value, for: key)
            } else {
                try await suite.change?(provider, [key: value])
            }
            return nil
        } catch {
            return error
        }
    }

    func isSame(_ written: EncodedFlagValue?, _ read: EncodedFlagValue?) -> Bool {
        guard let written, let read else { return written == read }
        return suite.isSame(written, read)
    }
}

/// The results of a run of the suite. Safe to use from any thread.
final class ConformanceResults: Sendable {
    private let state = Mutex(FlagProviderConformance.Report())

    var report: FlagProviderConformance.Report { state.withLock { $0 } }

    func failed(_ check: FlagProviderCheck) -> Bool { report.failures.contains { $0.check == check } }

    func fail(_ check: FlagProviderCheck, _ message: String) {
        state.withLock { state in
            guard state.failures.count(where: { $0.check == check }) < 10 else { return }
            state.failures.append(FlagProviderConformance.Failure(check: check, message: message))
        }
    }

    /// Leaves out checks, unless they have failed or were left out for another reason.
    func skip(_ checks: [FlagProviderCheck], _ reason: String) {
        state.withLock { state in
            for check in checks where state.passed.contains(check) { state.skipped.append((check, reason)) }
        }
    }
}

/// A recorder of the notices that an observer receives, in order.
final class NoticeRecorder: Sendable {
    private struct State {
        var notices: [FlagProviderNotice] = []
        /// The number of notices that are being sent now.
        var current = 0
        var hasOverlap = false
    }

    private let state = Mutex(State())

    var notices: [FlagProviderNotice] { state.withLock { $0.notices } }

    var changes: [FlagProviderChange] { notices.flatMap(\.changes) }

    /// Whether there was a notice without its changes.
    var hasReset: Bool { notices.contains { $0.changes.isEmpty } }

    /// Whether two notices were sent at the same time.
    var hasOverlap: Bool { state.withLock { $0.hasOverlap } }

    /// - Parameter body: Receives each change before the notice ends.
    func makeObserver(_ body: (@Sendable (FlagProviderChange) -> Void)? = nil) -> FlagProviderObserver {
        FlagProviderObserver { [self] notice, _ in
            state.withLock { state in
                state.notices.append(notice)
                state.hasOverlap = state.hasOverlap || state.current > 0
                state.current += 1
            }
            if let body { notice.changes.forEach(body) }
            state.withLock { $0.current -= 1 }
        }
    }
}

extension FlagProviderNotice {
    var changes: [FlagProviderChange] { if case .changed(let changes) = self { changes } else { [] } }
}

extension FlagKeyPath {
    /// Returns whether the keys are equal, or one is in the other's group.
    func isRelated(to other: FlagKeyPath) -> Bool {
        text == other.text || text.hasPrefix(other.text + "/") || other.text.hasPrefix(text + "/")
    }
}

/// Returns the value for a message, which is "nothing" for `nil`.
func phrase(_ value: EncodedFlagValue?) -> String { value.map { shortened("\($0)") } ?? "nothing" }

private func shortened(_ text: String) -> String { text.count > 100 ? "\(text.prefix(100))…" : text }
