import TacklineTestSupport
import TacklineTesting
import Testing

@Suite("Who waits for what a test expects", .hangLimit)
struct WaitingTests {
    /// Expects that work which waits for ever ends by throwing, whether it is cancelled before it waits or while it does.
    private func expectThrows(_ wait: @escaping @Sendable () async throws -> Void) async {
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await wait()
        }
        await #expect(throws: CancellationError.self) { try await early.value }
        for yields in 0..<20 {
            let task = Task { try await wait() }
            for _ in 0..<yields { await Task.yield() }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test("hears by an error that its task was cancelled")
    func cancelled() async {
        let gate = FlagGate(isOpen: false)
        let clock = ManualClock()
        await expectThrows { try await gate.waitForArrivals(1_000) }
        await expectThrows { try await gate.pass() }
        await expectThrows { try await clock.waitForSleepers(count: 1) }
        await expectThrows { try await clock.waitForSleepers { $0 == [.seconds(1)] } }
        await expectThrows { try await clock.sleep(for: .seconds(1)) }
        #expect(clock.sleepers == [])
    }

    @Test("does not hear of it if what it waits for is there")
    func alreadyThere() async throws {
        let gate = FlagGate()
        let clock = ManualClock()
        try await gate.pass()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await gate.waitForArrivals(1)
            try await clock.waitForSleepers(count: 0)
        }
        try await task.value
    }

    @Test("goes on as soon as enough have come")
    func arrives() async throws {
        let gate = FlagGate()
        let clock = ManualClock()
        let waiting = Task {
            try await gate.waitForArrivals(2)
            try await clock.waitForSleepers { $0 == [.seconds(3), .seconds(5)] }
        }
        try await gate.pass()
        try await gate.pass()
        let sleepers = [5, 3].map { seconds in Task { try await clock.sleep(for: .seconds(seconds)) } }
        try await waiting.value
        clock.advance(by: .seconds(5))
        for sleeper in sleepers { try await sleeper.value }
    }
}
