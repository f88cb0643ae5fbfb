import Synchronization
import TacklineCore

/// The changes of a browser's flags, taken without waiting, and a wake whenever anything about the flags may have changed,
/// a value that does not win included.
///
/// Changes are looked for by one thread at a time, outside of every lock, since that runs code of providers.
final class ChangeCollector: Sendable {
    private let consumer: FlagChangeConsumer
    private let isLooking = Atomic<Bool>(false)
    private let found = Mutex<[UntypedFlagChange]>([])
    /// Those who wait until nobody looks.
    private let waiters = Mutex<[CheckedContinuation<Void, Never>]>([])

    /// Begins to follow the flags; `nil` if there is no loader that changes could come from.
    init?(_ changes: UntypedFlagChanges) {
        guard let consumer = changes.makeConsumer() else { return nil }
        self.consumer = consumer
    }

    /// Looks at what was marked until now, so that ``take()`` finds it. Only what another thread is just looking at may be
    /// left for the next time.
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
            // Who came in between has left again.
        } while consumer.hasInvalidatedFlags
    }

    /// Whether a thread looks at changes, of which ``take()`` does not know yet.
    var isBusy: Bool { isLooking.load(ordering: .acquiring) }

    /// Looks at what was marked until now, and waits for another thread that does.
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

    /// Takes the changes that were found. It runs nobody's code, and may be called under a lock.
    func take() -> [UntypedFlagChange] {
        found.withLock { found in
            defer { found = [] }
            return found
        }
    }

    /// Waits until something happens after the last ``prepare()``, or the task is cancelled. For one task at a time.
    func wait() async { await consumer.wait() }
}
