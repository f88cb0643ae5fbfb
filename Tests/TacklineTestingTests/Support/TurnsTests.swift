import Synchronization
import TacklineTestSupport
import TacklineTesting
import Testing

@Suite("Turns", .hangLimit)
struct TurnsTests {
    let turns: Turns
    let gate = FlagGate(isOpen: false)
    /// Counts those who wait for their turn, and holds none of them.
    let waiting = FlagGate()

    init() {
        turns = Turns { [waiting] in waiting.passBlocking() }
    }

    @Test("come one after the other, in the order in which they were asked for")
    func order() async throws {
        let log = Log()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<5 {
                group.addTask {
                    try await turns.takingTurn {
                        log.add(number)
                        try await gate.pass()
                        log.add(number)
                    }
                }
                if number == 0 { try await gate.waitForArrivals(1) } else { try await waiting.waitForArrivals(number) }
            }
            #expect(log.numbers == [0])
            gate.open()
            try await group.waitForAll()
        }
        #expect(log.numbers == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4])
    }

    private final class Log: Sendable {
        private let added = Mutex<[Int]>([])
        var numbers: [Int] { added.withLock { $0 } }
        func add(_ number: Int) { added.withLock { $0.append(number) } }
    }

    @Test("end by throwing for those who are cancelled before theirs, and others go on")
    func cancelled() async throws {
        let first = Task { try await turns.takingTurn { try await gate.pass() } }
        try await gate.waitForArrivals(1)
        let second = Task { try await turns.takingTurn { Issue.record("It was cancelled before its turn.") } }
        try await waiting.waitForArrivals(1)
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        gate.open()
        try await first.value
        try await turns.takingTurn {}
    }

    @Test("go on when the work of one throws")
    func throwing() async throws {
        struct Failure: Error {}
        await #expect(throws: Failure.self) { try await turns.takingTurn { throw Failure() } }
        try await turns.takingTurn {}
    }

    @Test("do not wait for themselves")
    func nested() async throws {
        try await turns.takingTurn { try await turns.takingTurn {} }
    }
}
