/// The changes of some flags for somebody who also takes them without waiting, and who wants to wake whenever anything
/// about the flags may have changed, a value that does not win included.
///
/// It counts as a listener for as long as it lives.
package final class FlagChangeCollector: Sendable {
    private let subscription: FlagChangeSubscription

    /// Begins to follow the flags; `nil` if there is no loader that changes could come from.
    package init?(_ changes: FlagReferenceChanges) {
        guard let subscription = changes.begin(changes.limit) else { return nil }
        self.subscription = subscription
    }

    /// Has what happened until now looked at, so that ``take()`` finds it. Only what another thread is just looking at may
    /// be left for the next time. It may run code of flags' types, so call it outside of every lock.
    package func prepare() {
        subscription.buffer.signal.clear()
        subscription.drain()
    }

    /// Changes that were taken. Let it go outside of every lock, since values may own anything.
    package struct Taken: Sendable {
        fileprivate let batches: [[TrackedFlagChange]]

        /// The changes in the order in which they happened.
        package var changes: [FlagReferenceChange] { batches.flatMap { $0.map { FlagReferenceChange($0) } } }
    }

    /// Takes the changes that wait. It runs nobody's code, and may be called under a lock.
    package func take() -> Taken {
        Taken(batches: subscription.buffer.take())
    }

    /// Waits until something happens after the last ``prepare()``, or the task is cancelled. For one task at a time.
    package func wait() async {
        await subscription.buffer.signal.wait()
    }
}
