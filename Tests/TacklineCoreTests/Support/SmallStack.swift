import Dispatch
import Foundation
import Synchronization

/// Runs work on a thread with a stack of so many bytes, and waits for it. A stack overflow ends the test process.
func onThread<Result: Sendable>(stackSize: Int, _ work: @escaping @Sendable () -> Result) -> Result? {
    let box = ThreadResult<Result>()
    let thread = Thread {
        box.value.withLock { $0 = work() }
        box.done.signal()
    }
    thread.stackSize = stackSize
    thread.start()
    box.done.wait()
    return box.value.withLock { $0 }
}

private final class ThreadResult<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
    let done = DispatchSemaphore(value: 0)
}
