import Synchronization
import TacklineCore

/// A collector of the changes of a browser's flags.
///
/// Only one thread at a time inspects flags. It holds no lock meanwhile, because inspecting runs code of providers.
final class ChangeCollector: Sendable {
    private let queue: FlagChangeQueue
    private let found = Mutex<[FlagChangeQueue.Change]>([])
    /// Resolved when the thread that inspects flags is done, or `nil` if there is none.
    private let inspection = Mutex<FlagPromise<Void>?>(nil)

    /// - Parameter queue: The queue, from which only the collector takes changes.
    init(_ queue: FlagChangeQueue) { self.queue = queue }

    /// Inspects the flags that were invalidated until now, so that ``take()`` returns their changes. It may leave out
    /// flags that another thread is inspecting.
    func prepare() {
        repeat {
            let own = FlagPromise<Void>()
            let isMine = inspection.withLock { inspection in
                guard inspection == nil else { return false }
                inspection = own
                return true
            }
            guard isMine else { return }
            while let change = queue.nextWithoutWaiting() { found.withLock { $0.append(change) } }
            inspection.withLock { $0 = nil }
            own.resolve(())
            // Another thread may have returned early meanwhile.
        } while !queue.isEmpty
    }

    /// Whether a thread is inspecting flags, whose changes ``take()`` doesn't return yet.
    var isBusy: Bool { inspection.withLock { $0 != nil } }

    /// Inspects the flags that were invalidated until now, and waits for any other thread that is inspecting flags.
    func settle() async {
        prepare()
        while isBusy {
            await waitForInspection()
            prepare()
        }
    }

    private func waitForInspection() async {
        await inspection.withLock { $0 }?.waitDespiteCancellation()
    }

    /// Removes and returns the changes that were found. It runs no foreign code, so it may be called under a lock.
    func take() -> [FlagChangeQueue.Change] {
        found.withLock { found in
            defer { found = [] }
            return found
        }
    }

    /// Waits until a flag is invalidated after the last ``prepare()`` or the task is cancelled. A flag is also
    /// invalidated if a value changes that doesn't win.
    func wait() async {
        // A thread that is inspecting flags takes more of them from the queue.
        await waitForInspection()
        await queue.wait()
    }
}
