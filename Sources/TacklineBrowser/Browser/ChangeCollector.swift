import Synchronization
import TacklineCore

/// A collector of the changes of a browser's flags.
///
/// One thread at a time looks for changes, outside of every lock, because that runs code of providers.
final class ChangeCollector: Sendable {
    private let consumer: FlagChangeConsumer
    private let isLooking = Atomic<Bool>(false)
    private let found = Mutex<[UntypedFlagChange]>([])
    /// The tasks that wait until no thread looks for changes.
    private let waiters = Mutex<[CheckedContinuation<Void, Never>]>([])

    /// Creates a collector; `nil` if there is no loader that changes could come from.
    init?(_ changes: UntypedFlagChanges) {
        guard let consumer = changes.makeConsumer() else { return nil }
        self.consumer = consumer
    }

    /// Inspects the flags that were invalidated until now, so that ``take()`` returns their changes. It may leave out flags
    /// that another thread inspects at the moment.
    func prepare() {
        consumer.clear()
        repeat {
            guard !isLooking.exchange(true, ordering: .acquiringAndReleasing) else { return }
            while let change = consumer.nextWithoutWaiting() { found.withLock { $0.append(change) } }
            isLooking.store(false, ordering: .releasing)
            let ended = waiters.withLock { waiters in
                defer { waiters = [] }
                return waiters
            }
            for waiter in ended { waiter.resume() }
            // Another thread may have returned early meanwhile.
        } while consumer.hasInvalidatedFlags
    }

    /// Whether a thread inspects flags, whose changes ``take()`` doesn't return yet.
    var isBusy: Bool { isLooking.load(ordering: .acquiring) }

    /// Inspects the flags that were invalidated until now, and waits for another thread that does.
    func settle() async {
        prepare()
        while isBusy {
            await withCheckedContinuation { waiter in
                let isOver = waiters.withLock { waiters in
                    guard isBusy else { return true }
                    waiters.append(waiter)
                    return false
                }
                if isOver { waiter.resume() }
            }
            prepare()
        }
    }

    /// Removes and returns the changes that were found. It runs no foreign code, so it may be called under a lock.
    func take() -> [UntypedFlagChange] {
        found.withLock { found in
            defer { found = [] }
            return found
        }
    }

    /// Waits until a flag is invalidated after the last ``prepare()`` or the task is cancelled. Only one task at a time may
    /// call it. A flag is also invalidated if a value changes that doesn't win.
    func wait() async { await consumer.wait() }
}
