import Dispatch
import Foundation
import Synchronization
package import Testing

// Dispatch: the limit has to come also when a test keeps all threads of Swift's own pool busy.

extension Trait where Self == HangLimit {
    /// Ends a test that hangs: for tests that wait for something which a mistake could keep from coming.
    ///
    /// Stands for `.timeLimit`, which also counts the time in which a test waits for its turn, and which cannot come while
    /// a test keeps Swift's threads busy.
    package static var hangLimit: HangLimit { HangLimit() }
}

/// Cancels a test that takes a quarter of an hour, and reports it once; ends the run if the test goes on all the same.
///
/// No test is meant to come near: the slowest takes seconds, and minutes on a machine a hundred times slower. The time
/// counts from the test's own beginning.
package struct HangLimit: TestTrait, SuiteTrait, TestScoping {
    private let limit = Duration.seconds(15 * 60)
    private let grace = Duration.seconds(5 * 60)

    /// A suite hands it to each of its tests.
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        // A turn brings its limit with it, and its time begins later.
        if test.traits.contains(where: { $0 is MachineTurn }) { return try await function() }
        try await limit(test, function)
    }

    /// Runs a test within the limit, from now on.
    func limit(_ test: Test, _ function: @Sendable () async throws -> Void) async throws {
        let name = test.displayName ?? test.name
        let wasInTime = try await finishes(within: limit, grace: grace, function) {
            let message = "The test \"\(name)\" hangs: it was cancelled and did not end. This ends the run.\n"
            FileHandle.standardError.write(Data(message.utf8))
            exit(EXIT_FAILURE)
        }
        if wasInTime { return }
        Issue.record(
            """
            This took \(limit) and was cancelled, so it hangs: no test may take long because the machine is slow. Find \
            out what it waits for, and why that does not come.
            """, sourceLocation: test.sourceLocation)
    }
}

/// Runs work in a child task, which is cancelled if it takes longer than a limit.
///
/// - Parameters:
///   - grace: How much longer work may take that was cancelled.
///   - hangs: Is called on another thread if the work did not end by then.
/// - Returns: Whether the work ended within the limit.
/// - Throws: What the work throws within the limit; what it throws later says no more than that it was cancelled.
package func finishes(
    within limit: Duration, grace: Duration, _ work: @Sendable () async throws -> Void,
    hangs: @escaping @Sendable () -> Void
) async throws -> Bool {
    let watch = HangWatch()
    // The test's own task is not to be cancelled: Swift Testing takes that for somebody's wish to skip the test.
    async let end: Void = withUnsafeCurrentTask { task in
        watch.begin(task, limit: limit, grace: grace, hangs: hangs)
        defer { watch.end() }
        try await work()
    }
    do {
        try await end
    } catch  where watch.isMet {}
    return !watch.isMet
}

/// The limit of one piece of work.
private final class HangWatch: Sendable {
    private struct Watched: @unchecked Sendable {
        // Of a task that another one refers to, only what `Task` also has may be used, and only while that task is in
        // `withUnsafeCurrentTask`. The lock of `state` sees to the second: `end()` takes it away.
        let task: UnsafeCurrentTask
    }

    private struct State {
        var watched: Watched?
        var isMet = false
    }

    private let state = Mutex(State())

    var isMet: Bool { state.withLock { $0.isMet } }

    func begin(
        _ task: UnsafeCurrentTask?, limit: Duration, grace: Duration, hangs: @escaping @Sendable () -> Void
    ) {
        let watched = task.map { Watched(task: $0) }
        state.withLock { $0.watched = watched }
        after(limit) { [weak self] in
            guard let self, cancel() else { return }
            after(grace) { [weak self] in
                if self?.isGoingOn == true { hangs() }
            }
        }
    }

    func end() {
        state.withLock { $0.watched = nil }
    }

    private var isGoingOn: Bool { state.withLock { $0.watched != nil } }

    /// Returns whether there was still something to cancel.
    private func cancel() -> Bool {
        state.withLock { state in
            guard let watched = state.watched else { return false }
            state.isMet = true
            // Handlers of the cancellation run here, under the lock. They are the test's, and none of them comes back here.
            watched.task.cancel()
            return true
        }
    }
}

/// A queue of our own gets a thread even when all those of the global queues are busy.
private let limits = DispatchQueue(label: "tackline.hang-limits", attributes: .concurrent)

private func after(_ duration: Duration, _ work: @escaping @Sendable () -> Void) {
    let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    limits.asyncAfter(deadline: .now() + seconds, execute: work)
}
