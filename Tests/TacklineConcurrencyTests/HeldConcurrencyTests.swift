import Synchronization
import TacklineComputed
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

private struct HeldFlags: FlagCollectionProtocol {
    @Flag(default: 0, updatePolicy: .session, description: "Fixed for a session")
    var session: Int
}

@Suite("Concurrency of held flags", .needsTheMachine)
struct HeldConcurrencyTests {
    @Test("gives all readers of a session one value, although the provider has another at each question")
    func oneValue() async {
        let last = Mutex(0)
        let restless = ComputedProvider { _ in
            last.withLock { last in
                last += 1
                return .integer(Int128(last))
            }
        }
        let flags = FlagsLoader(HeldFlags.self, providers: [restless])
        for _ in 0..<200 {
            flags.beginSession()
            let values = await withTaskGroup(of: Int.self) { group in
                for _ in 0..<4 { group.addTask { flags.session } }
                return await group.reduce(into: Set<Int>()) { $0.insert($1) }
            }
            #expect(values == [flags.session])
        }
    }

    @Test("never shows a value of an earlier session to a reader who comes after the new one began")
    func newSession() async {
        let memory = MemoryProvider(values: ["session": 0])
        let flags = FlagsLoader(HeldFlags.self, providers: [memory])
        let isDone = Atomic<Bool>(false)
        let wrong = Counter()
        let reader: @Sendable () -> Void = {
            var newest = 0
            while !isDone.load(ordering: .acquiring) {
                let value = flags.session
                if value < newest { _ = wrong.next() }
                newest = max(newest, value)
            }
        }
        await onThreads([
            reader, reader,
            {
                for number in 1...500 {
                    memory.setValue(.integer(Int128(number)), for: "session")
                    flags.beginSession()
                    if flags.session != number { _ = wrong.next() }
                }
                isDone.store(true, ordering: .releasing)
            },
        ])
        #expect(wrong.count == 0)
    }
}
