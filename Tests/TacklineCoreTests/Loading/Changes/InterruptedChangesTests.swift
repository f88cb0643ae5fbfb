import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

@Suite("Changes while another thread is held up handing them out", .needsTheMachine)
struct InterruptedChangesTests {
    let memory = MemoryProvider(name: "memory")
    let held = HeldAnswer()
    let loader: FlagsLoader<ChangeFlags>

    init() {
        loader = FlagsLoader(ChangeFlags.self, providers: [memory, held.provider])
    }

    /// Holds up a thread that looks at the changes of `number`, which somebody has to follow.
    private func whileHeld(_ body: () -> Void) async throws {
        try await held.whileHeld({ [loader] in loader.$number.setDefault(-1) }, body)
    }

    @Test("go to those who began before them, and to no later consumer")
    func beginning() async throws {
        var early = loader.$number.changes.makeAsyncIterator()
        var late: FlagChanges<Int>.AsyncIterator?
        var everything: FlagReferenceChanges.AsyncIterator?
        try await whileHeld {
            memory.setValue(1, for: "number")
            late = loader.$number.changes.makeAsyncIterator()
            everything = loader.changes.makeAsyncIterator()
            memory.setValue(2, for: "number")
        }
        #expect(try await next(3, of: &early).map(\.new) == [-1, 1, 2])
        let change = await late?.next(isolation: #isolation)
        #expect(change?.old == 1 && change?.new == 2)
        #expect(await everything?.next(isolation: #isolation)?.old == 1)
    }

    @Test("stay in commit order when objects around the value are replaced meanwhile")
    func order() async throws {
        var depth = loader.group.inner.$depth.changes.makeAsyncIterator()
        var number = loader.$number.changes.makeAsyncIterator()
        try await whileHeld {
            memory.setValue(["inner": ["depth": 1]], for: "group")
            memory.setValue(["inner": ["depth": 2]], for: "group")
            memory.setValue(3, for: "group/inner/depth")
            memory.setValue(4, for: "group/inner/depth")
        }
        #expect(try await next(1, of: &number).map(\.new) == [-1])
        var changes: [FlagChange<Int>] = []
        while changes.last?.new != 4, let change = await depth.next(isolation: #isolation) { changes.append(change) }
        // The first one is not known any more when it is looked at.
        #expect(changes.map(\.old) == [0, 2, 3])
        #expect(changes.map(\.new) == [2, 3, 4])
    }

    @Test("are dropped when more wait than are kept, but for the newest values and for who came meanwhile")
    func gap() async throws {
        // More than `FlagChangeQueue.limit`.
        let writes = 140_000
        var number = loader.$number.changes.makeAsyncIterator()
        var text: FlagChanges<String>.AsyncIterator?
        try await whileHeld {
            memory.setValue(1, for: "number")
            text = loader.$text.changes.makeAsyncIterator()
            for step in 2...writes { memory.setValue(.integer(Int128(step)), for: "number") }
        }
        var last: FlagChange<Int>?
        var isChain = true
        while last?.new != writes, let change = await number.next(isolation: #isolation) {
            isChain = isChain && change.old == last?.new ?? 0 && change.new > change.old || change.new == -1
            last = change
        }
        #expect(isChain)
        memory.setValue("seen", for: "text")
        #expect(await text?.next(isolation: #isolation)?.new == "seen")
    }
}
