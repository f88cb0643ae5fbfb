/// The changes of some flags for somebody who also takes them without waiting, and who wants to wake whenever anything
/// about the flags may have changed, a value that does not win included.
///
/// It counts as a listener for as long as it lives.
package final class FlagChangeCollector: Sendable {
    private let subscription: FlagChangeSubscription?

    /// Begins to follow the flags.
    package init(_ changes: FlagReferenceChanges) {
        subscription = changes.begin(changes.limit)
    }

    /// Takes the changes that were made until now and not taken yet. Only a change that another thread is just looking
    /// at may be left for the next time.
    package func take() -> [FlagReferenceChange] {
        subscription?.takeWithoutWaiting().map { FlagReferenceChange($0) } ?? []
    }

    /// Waits until something happens after the last ``take()``, or the task is cancelled. For one task at a time.
    package func wait() async {
        await subscription?.buffer.signal.wait()
    }
}

extension FlagChangeSubscription {
    /// Takes what there is.
    fileprivate func takeWithoutWaiting() -> [TrackedFlagChange] {
        buffer.signal.clear()
        drain()
        return buffer.take().flatMap { $0 }
    }
}
