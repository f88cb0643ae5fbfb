import TacklineTesting
import TacklineTestSupport
import Testing

@Suite("A manual clock", .hangLimit)
struct ManualClockTests {
    private let clock = ManualClock()

    @Test("ends a wait by an error if its task is cancelled before it or during it, unless it is over")
    func cancelled() async throws {
        let waits: [@Sendable () async throws -> Void] = [
            { try await clock.waitForSleepers(count: 1) }, { try await clock.waitForSleepers { $0 == [.seconds(1)] } },
            { try await clock.sleep(for: .seconds(1)) },
        ]
        for wait in waits {
            for yields in 0..<20 {
                let task = Task {
                    if yields == 0 { withUnsafeCurrentTask { $0?.cancel() } }
                    try await wait()
                }
                for _ in 0..<yields { await Task.yield() }
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
            }
        }
        #expect(clock.sleepers == [])
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.waitForSleepers(count: 0)
        }
        try await task.value
    }

    @Test("resumes a test as soon as enough tasks sleep, and these when their time has come")
    func resumes() async throws {
        let sleepers = [5, 3].map { seconds in Task { try await clock.sleep(for: .seconds(seconds)) } }
        try await clock.waitForSleepers { $0 == [.seconds(3), .seconds(5)] }
        clock.advance(by: .seconds(3))
        try await sleepers[1].value
        #expect(clock.sleepers == [.seconds(2)])
        clock.advance(by: .seconds(2))
        try await sleepers[0].value
    }
}
