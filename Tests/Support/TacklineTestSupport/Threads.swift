import Foundation
import Synchronization
import TacklineCore

/// Runs each piece of work on a thread of its own, all at once, and waits for them without blocking the caller's thread.
///
/// Threads rather than tasks: readers that spin until a writer is done would keep the writer off a pool which is as
/// small as the machine. Use it in suites with the trait ``Testing/Trait/needsTheMachine``.
package func onThreads(_ work: [@Sendable () -> Void]) async {
    let start = DispatchSemaphore(value: 0)
    let left = Atomic(work.count)
    await withCheckedContinuation { continuation in
        if work.isEmpty { continuation.resume() }
        for piece in work {
            Thread {
                start.wait()
                piece()
                if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { continuation.resume() }
            }.start()
        }
        for _ in work { start.signal() }
    }
}

/// Starts work on a thread of its own, for work that blocks: in a task it would keep a thread of Swift's pool, of which there
/// may be only one.
///
/// - Returns: A task that ends with the work. Cancelling it does not end the work.
package func startThread<Result: Sendable>(
    _ work: @escaping @Sendable () throws -> Result
) -> Task<Result, any Error> {
    let end = FlagPromise<Swift.Result<Result, any Error>>()
    Thread { end.resolve(Swift.Result(catching: work)) }.start()
    return Task {
        guard let result = await end.wait() else { throw CancellationError() }
        return try result.get()
    }
}

/// Runs work on a thread with a stack of so many bytes, eight times as many under a sanitizer, and waits for it without
/// blocking the caller's thread. A stack overflow ends the test process.
package func onThread<Result: Sendable>(
    stackSize: Int, _ work: @escaping @Sendable () -> Result
) async -> Result {
    await withCheckedContinuation { continuation in
        let thread = Thread { continuation.resume(returning: work()) }
        thread.stackSize = isSanitized ? 8 * stackSize : stackSize
        thread.start()
    }
}

/// Whether a sanitizer is built in, which makes every stack frame several times larger.
private let isSanitized =
    dlsym(dlopen(nil, RTLD_NOW), "__asan_init") != nil || dlsym(dlopen(nil, RTLD_NOW), "__tsan_init") != nil
