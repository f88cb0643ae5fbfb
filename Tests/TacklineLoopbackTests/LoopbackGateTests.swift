import TacklineLoopback
import TacklineTestSupport
import Testing

@Suite("A loopback gate", .hangLimit)
struct LoopbackGateTests {
    @Test("lets every waiter go on when it is opened")
    func opens() async throws {
        let gate = LoopbackGate()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    try await gate.wait()
                    return gate.isOpen
                }
            }
            gate.open()
            for try await wasOpen in group {
                #expect(wasOpen)
            }
        }
    }

    @Test("stays open, so that a later wait returns at once")
    func staysOpen() async throws {
        let gate = LoopbackGate()
        gate.open()
        gate.open()
        try await gate.wait()
        #expect(gate.isOpen)
    }

    @Test("lets a cancelled task go on, which hears of it by an error, and stays closed")
    func cancelled() async {
        let gate = LoopbackGate()
        for _ in 0..<1_000 {
            let waiting = Task { try await gate.wait() }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
        #expect(!gate.isOpen)
    }
}
