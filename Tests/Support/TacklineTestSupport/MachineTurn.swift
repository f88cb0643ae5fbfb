import Synchronization
package import Testing

extension Trait where Self == TimeLimitTrait {
    /// Fails a test that hangs: for tests that wait for something which a mistake could keep from coming. No test is meant
    /// to come near this limit, however slow the machine is.
    package static var hangLimit: TimeLimitTrait { .timeLimit(.minutes(60)) }
}

extension Trait where Self == MachineTurn {
    /// Lets a test run only while no other test that carries this trait does, in the whole process: for tests with threads
    /// of their own, with other processes, or with thousands of trials.
    ///
    /// `.serialized` only keeps the tests of one suite from each other. The tests without this trait go on beside it, a few
    /// at a time (see `CTestProcess`).
    package static var needsTheMachine: MachineTurn { MachineTurn() }
}

/// Gives the tests that need the machine one turn after the other, in the order in which they come.
package struct MachineTurn: TestTrait, SuiteTrait, TestScoping {
    /// Ends with the last turn that was given out.
    private static let last = Mutex<Task<Void, Never>?>(nil)
    /// Whether the current task has a turn: a suite and its test may both carry the trait.
    @TaskLocal private static var isHere = false

    /// A suite hands it to each of its tests.
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        if Self.isHere { return try await function() }
        let (ending, continuation) = AsyncStream.makeStream(of: Never.self)
        let turn = Task { for await _ in ending {} }
        let previous = Self.last.withLock { last in
            defer { last = turn }
            return last
        }
        await previous?.value
        defer { continuation.finish() }
        try await Self.$isHere.withValue(true) { try await function() }
    }
}
