import TacklineTestSupport
import TacklineTesting
import Testing

@Suite("A limit against hangs", .hangLimit)
struct HangLimitTests {
    @Test("lets work end by itself, cancels what takes longer or spins, and reports what goes on all the same")
    func limits() async throws {
        struct Failure: Error {}
        await #expect(throws: Failure.self) {
            _ = try await finishes(within: .seconds(3600), grace: .zero) {
                throw Failure()
            } hangs: {
            }
        }
        let (reports, continuation) = AsyncStream.makeStream(of: Void.self)
        let works: [(limit: Duration, grace: Duration, run: @Sendable () async throws -> Void)] = [
            (.seconds(3600), .zero, { await Task.yield() }),
            (.milliseconds(1), .seconds(3600), { try await FlagGate(isOpen: false).pass() }),
            (.milliseconds(1), .seconds(3600), { while !Task.isCancelled {} }),
            // A task of its own, which is never cancelled, waits for the report.
            (.milliseconds(1), .milliseconds(1), { await Task { for await _ in reports { return } }.value }),
        ]
        for (limit, grace, run) in works {
            let wasInTime = try await finishes(within: limit, grace: grace, run) { continuation.yield() }
            #expect(wasInTime == (limit > .seconds(1)))
        }
    }
}
