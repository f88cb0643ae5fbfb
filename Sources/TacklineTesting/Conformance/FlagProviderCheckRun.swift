import Synchronization
import TacklineCore

/// The collected results of one check. Safe to use from any thread.
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

    /// Adds a failure.
    ///
    /// - Parameters:
    ///   - key: The key with which the failure occurs.
    ///   - fault: A description of the provider's behavior.
    ///   - advice: Advice for the provider's author.
    func fail(_ key: FlagKeyPath, _ fault: String, _ advice: String) {
        fail("\"\(key.text.count > 100 ? "\(key.text.prefix(100))…" : key.text)\": \(fault); \(advice)")
    }

    func fail(_ message: String) {
        state.withLock { state in
            // A broken rule often fails thousands of times.
            guard state.failures.count < 10 else { return }
            state.failures.append(FlagProviderConformanceFailure(check: check, message: message))
        }
    }

    func skip(_ reason: String) {
        state.withLock { $0.skipReason = reason }
    }
}

/// A recorder of the notices that an observer receives, in order.
final class FlagNoticeRecorder: Sendable {
    private let recorded = Mutex<[FlagProviderNotice]>([])

    var notices: [FlagProviderNotice] { recorded.withLock { $0 } }

    /// The changes of all notices, in order.
    var changes: [FlagProviderChange] { notices.flatMap(\.changes) }

    /// Whether there was a notice that any value may have changed.
    var hasReset: Bool { notices.contains(.reset) || notices.contains(.subjectChanged) }

    func record(_ notice: FlagProviderNotice) { recorded.withLock { $0.append(notice) } }

    func makeObserver() -> FlagProviderObserver {
        FlagProviderObserver { [self] news, _ in record(news) }
    }
}

extension FlagProviderNotice {
    var changes: [FlagProviderChange] { if case .changed(let changes) = self { changes } else { [] } }
}

extension FlagKeyPath {
    /// Returns whether a change of one key may be a change of the other: they are equal, or one is in the other's
    /// group.
    func isRelated(to other: FlagKeyPath) -> Bool {
        text == other.text || text.hasPrefix(other.text + "/") || other.text.hasPrefix(text + "/")
    }
}

/// Returns the value for a message, which is "nothing" for `nil`.
func phrase(_ value: EncodedFlagValue?) -> String {
    guard let value else { return "nothing" }
    let text = "\(value)"
    return text.utf8.count > 100 ? "\(text.prefix(100))…" : text
}

/// Returns the first changes for a message.
func outline(_ changes: [FlagProviderChange]) -> String {
    let shown = changes.prefix(8).map { "\(phrase($0.old)) → \(phrase($0.new))" }.joined(separator: ", ")
    return changes.count > 8 ? "\(shown), … (\(changes.count) in all)" : shown
}
