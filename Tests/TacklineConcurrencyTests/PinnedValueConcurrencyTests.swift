import Synchronization
import TacklineClosure
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

private struct PinnedFlags: FlagCollectionProtocol {
    @Flag(default: 0, updatePolicy: .session, description: "Pinned for a session")
    var session: Int
}

@Suite("A pinned value on many threads", .needsTheMachine)
struct PinnedValueConcurrencyTests {
    @Test("is the same for all readers of a session, although the provider has another value each time")
    func oneValue() async {
        let last = Mutex(0)
        let provider = ClosureProvider { _ in
            last.withLock { last in
                last += 1
                return .integer(Int128(last))
            }
        }
        let flags = FlagsLoader(PinnedFlags.self, providers: [provider])
        for _ in 0..<200 {
            flags.beginSession()
            let values = await withTaskGroup(of: Int.self) { group in
                for _ in 0..<4 { group.addTask { flags.session } }
                return await group.reduce(into: Set<Int>()) { $0.insert($1) }
            }
            #expect(values == [flags.session])
        }
    }

    @Test("is never one of an earlier session for a read after the new session began")
    func newSession() async {
        let memory = MemoryProvider(values: ["session": 0])
        let flags = FlagsLoader(PinnedFlags.self, providers: [memory])
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
