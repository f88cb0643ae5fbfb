import Foundation

/// Runs each piece of work on a thread of its own, all at once, and waits for them.
///
/// Threads rather than tasks: readers that spin until a writer is done would keep the writer off a pool which is as
/// small as the machine.
func onThreads(_ work: [@Sendable () -> Void]) {
    let finished = DispatchGroup()
    let start = DispatchSemaphore(value: 0)
    for piece in work {
        finished.enter()
        let thread = Thread {
            start.wait()
            piece()
            finished.leave()
        }
        thread.start()
    }
    for _ in work { start.signal() }
    finished.wait()
}
