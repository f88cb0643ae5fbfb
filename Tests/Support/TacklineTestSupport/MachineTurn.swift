import Synchronization
package import Testing

extension Trait where Self == MachineTurn {
    /// Lets a test run only while no other test that carries this trait does, in the whole process: for tests with threads
    /// of their own, with other processes, or with thousands of trials.
    ///
    /// `.serialized` only keeps the tests of one suite from each other. ``Trait/hangLimit`` is included, and counts from
    /// the beginning of the turn. The tests without this trait go on beside it, a few at a time (see `CTestWidth`).
    package static var needsTheMachine: MachineTurn { MachineTurn() }
}

/// Gives the tests that need the machine one turn after the other.
package struct MachineTurn: TestTrait, SuiteTrait, TestScoping {
    private static let turns = Turns()

    /// A suite hands it to each of its tests.
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await MachineTurn.turns.takingTurn {
            try await HangLimit().limit(test) { try await function() }
        }
    }
}

/// Lets one piece of work run at a time, in the order in which they came.
private final class Turns: Sendable {
    private struct Waiting {
        let id: Int
        /// Takes whether the turn has come, and not a cancellation.
        let go: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var isTaken = false
        var nextID = 0
        var waiting: [Waiting] = []
    }

    private let state = Mutex(State())

    /// Whether the current task has a turn, whichever it is.
    @TaskLocal private static var isHere = false

    /// Waits for its turn and then does the work. Work inside of work does not wait for itself.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before its turn; else what the work throws.
    func takingTurn(_ work: @Sendable () async throws -> Void) async throws {
        if Turns.isHere { return try await work() }
        try await begin()
        defer { end() }
        try await Turns.$isHere.withValue(true) { try await work() }
    }

    private func begin() async throws(CancellationError) {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let hasTurn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let hasTurn: Bool? = state.withLock { state in
                    // A cancellation after this look finds the one that waits.
                    if Task.isCancelled { return false }
                    if state.isTaken {
                        state.waiting.append(Waiting(id: id, go: continuation))
                        return nil
                    }
                    state.isTaken = true
                    return true
                }
                if let hasTurn { continuation.resume(returning: hasTurn) }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0) }
            }
            waiting?.go.resume(returning: false)
        }
        if !hasTurn { throw CancellationError() }
    }

    private func end() {
        let next = state.withLock { state -> Waiting? in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.go.resume(returning: true)
    }
}
