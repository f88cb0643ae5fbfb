import Dispatch
import Foundation
import Synchronization

/// Whether a sanitizer is built in, which makes every stack frame several times larger.
private let isSanitized =
    dlsym(dlopen(nil, RTLD_NOW), "__asan_init") != nil || dlsym(dlopen(nil, RTLD_NOW), "__tsan_init") != nil

/// Runs work on a thread with a stack of so many bytes, and waits for it; eight times as many under a sanitizer. A stack overflow ends the test process.
func onThread<Result: Sendable>(stackSize: Int, _ work: @escaping @Sendable () -> Result) -> Result? {
    let box = ThreadResult<Result>()
    let thread = Thread {
        box.value.withLock { $0 = work() }
        box.done.signal()
    }
    thread.stackSize = isSanitized ? 8 * stackSize : stackSize
    thread.start()
    box.done.wait()
    return box.value.withLock { $0 }
}

private final class ThreadResult<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
    let done = DispatchSemaphore(value: 0)
}
