import Synchronization
import TacklineCore

/// A collector of the changes of a browser's flags.
///
/// Only one thread at a time inspects flags. It holds no lock meanwhile, because inspecting runs code of providers.
final class ChangeCollector: Sendable {
    private let consumer: FlagChangeConsumer
    private let found = Mutex<[UntypedFlagChange]>([])
    /// Resolved when the thread that inspects flags is done, or `nil` if there is none.
    private let inspection = Mutex<FlagPromise<Void>?>(nil)

    /// Creates a collector; `nil` if there is no loader that changes could come from.
    init?(_ changes: UntypedFlagChanges) {
        guard let consumer = changes.makeConsumer() else { return nil }
        self.consumer = consumer
    }

    /// Inspects the flags that were invalidated until now, so that ``take()`` returns their changes. It may leave out
    /// flags that another thread is inspecting.
    func prepare() {
        consumer.clear()
        repeat {
            let own = FlagPromise<Void>()
            let isMine = inspection.withLock { inspection in
                guard inspection == nil else { return false }
                inspection = own
                return true
            }
            guard isMine else { return }
            while let change = consumer.nextWithoutWaiting() { found.withLock { $0.append(change) } }
            inspection.withLock { $0 = nil }
            own.resolve(())
            // Another thread may have returned early meanwhile.
        } while consumer.hasInvalidatedFlags
    }

    /// Whether a thread is inspecting flags, whose changes ``take()`` doesn't return yet.
    var isBusy: Bool { inspection.withLock { $0 != nil } }

    /// Inspects the flags that were invalidated until now, and waits for any other thread that is inspecting flags.
    func settle() async {
        prepare()
        while let current = inspection.withLock({ $0 }) {
            await current.waitDespiteCancellation()
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

    /// Waits until a flag is invalidated after the last ``prepare()`` or the task is cancelled. Only one task at a time
    /// may call it. A flag is also invalidated if a value changes that doesn't win.
    func wait() async { await consumer.wait() }
}
