import TacklineTestSupport
import TacklineTesting
import Testing

@Suite("A limit against hangs", .hangLimit)
struct HangLimitTests {
    @Test("lets work end by itself, and throws what it throws")
    func ends() async throws {
        struct Failure: Error {}
        let wasInTime = try await finishes(within: .seconds(3600), grace: .zero) {
            await Task.yield()
        } hangs: {
            Issue.record("It did not hang.")
        }
        #expect(wasInTime)
        await #expect(throws: Failure.self) {
            _ = try await finishes(within: .seconds(3600), grace: .zero) {
                throw Failure()
            } hangs: {
            }
        }
    }

    @Test("cancels work that takes longer, and keeps to itself that it was cancelled")
    func cancels() async throws {
        let gate = FlagGate(isOpen: false)
        let wasInTime = try await finishes(within: .milliseconds(1), grace: .seconds(3600)) {
            try await gate.pass()
        } hangs: {
        }
        #expect(!wasInTime)
    }

    @Test("tells of work that goes on although it was cancelled")
    func hangs() async throws {
        let (told, continuation) = AsyncStream.makeStream(of: Void.self)
        let wasInTime = try await finishes(within: .milliseconds(1), grace: .milliseconds(1)) {
            // A task of its own, which is never cancelled.
            await Task { for await _ in told { return } }.value
        } hangs: {
            continuation.yield()
        }
        #expect(!wasInTime)
    }

    @Test("comes while the test keeps its thread")
    func spins() async throws {
        let wasInTime = try await finishes(within: .milliseconds(1), grace: .seconds(3600)) {
            while !Task.isCancelled {}
        } hangs: {
        }
        #expect(!wasInTime)
    }
}
