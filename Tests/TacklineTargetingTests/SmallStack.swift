import Dispatch
import Foundation
import Synchronization

/// Runs work on a thread with the stack that Apple's secondary threads have, 512 KiB, and waits for it.
func onSmallStack<Result: Sendable>(_ work: @escaping @Sendable () -> Result) -> Result? {
    let box = ResultBox<Result>()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        let value = work()
        box.result.withLock { $0 = value }
        done.signal()
    }
    thread.stackSize = 512 * 1024
    thread.start()
    done.wait()
    return box.result.withLock { $0 }
}

private final class ResultBox<Result: Sendable>: Sendable {
    let result = Mutex<Result?>(nil)
}
