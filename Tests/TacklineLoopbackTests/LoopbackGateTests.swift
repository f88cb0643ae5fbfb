import TacklineLoopback
import Testing

@Suite("A loopback gate", .timeLimit(.minutes(2)))
struct LoopbackGateTests {
    @Test("lets every waiter go on when it is opened")
    func opens() async {
        let gate = LoopbackGate()
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    await gate.wait()
                    return gate.isOpen
                }
            }
            gate.open()
            for await wasOpen in group {
                #expect(wasOpen)
            }
        }
    }

    @Test("stays open, so that a later wait returns at once")
    func staysOpen() async {
        let gate = LoopbackGate()
        gate.open()
        gate.open()
        await gate.wait()
        #expect(gate.isOpen)
    }

    @Test("lets a cancelled task go on and stays closed")
    func cancelled() async {
        let gate = LoopbackGate()
        for _ in 0..<1_000 {
            let waiting = Task { await gate.wait() }
            waiting.cancel()
            await waiting.value
        }
        #expect(!gate.isOpen)
    }
}
