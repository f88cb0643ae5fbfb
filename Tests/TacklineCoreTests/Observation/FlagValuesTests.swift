import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

@Suite("The values of a flag", .hangLimit)
struct FlagValuesTests {
    let memory = MemoryProvider()
    let loader: FlagsLoader<ChangeFlags>

    init() {
        loader = FlagsLoader(ChangeFlags.self, providers: [memory])
    }

    @Test("begin with the current value for each consumer, and skip intermediate ones for a slow one")
    func first() async throws {
        memory.setValue(4, for: "number")
        var one = loader.$number.values.makeAsyncIterator()
        var other = loader.$number.values.makeAsyncIterator()
        #expect(try await next(1, of: &one) == [4])
        memory.setValue(4, for: "number")
        memory.setValue(5, for: "number")
        #expect(try await next(1, of: &one) == [5])
        #expect(try await next(1, of: &other) == [5])
        for number in 6...100 { memory.setValue(.integer(Int128(number)), for: "number") }
        #expect(try await next(1, of: &one) == [100])
        memory.setValue(7, for: "number")
        memory.setValue(100, for: "number")
        memory.setValue(8, for: "number")
        #expect(try await next(1, of: &one) == [8])
    }

    @Test("come with each notice if they can't be encoded, so that they can't be compared")
    func unencodable() async {
        struct Flags: FlagCollectionProtocol {
            @Flag(default: Unencodable()) var value: Unencodable
        }
        let flags = FlagsLoader(Flags.self, providers: [memory])
        var values = flags.$value.values.makeAsyncIterator()
        #expect(await values.next(isolation: #isolation) != nil)
        memory.setValue(1, for: "value")
        #expect(await values.next(isolation: #isolation) != nil)
    }
}

@Suite("Closures that observe flags", .hangLimit)
struct FlagObservationTests {
    let memory = MemoryProvider(name: "memory")
    let loader: FlagsLoader<ChangeFlags>

    init() {
        loader = FlagsLoader(ChangeFlags.self, providers: [memory])
    }

    @Test("are called with each change until the observation is released")
    func changes() async {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        var iterator = stream.makeAsyncIterator()
        var observation = loader.$number.observeChanges { continuation.yield("flag \($0)") }
        memory.setValue(1, for: "number")
        #expect(await iterator.next(isolation: #isolation) == "flag number: 0 → 1 (provider \"memory\")")
        observation = loader.root.observeChanges { continuation.yield("loader \($0)") }
        memory.setValue(2, for: "number")
        #expect(await iterator.next(isolation: #isolation) == "loader number: 1 → 2 (provider \"memory\")")
        observation = loader.$number.observeValues { continuation.yield("value \($0)") }
        #expect(await iterator.next(isolation: #isolation) == "value 2")
        memory.setValue(3, for: "number")
        #expect(await iterator.next(isolation: #isolation) == "value 3")
        withExtendedLifetime(observation) {}
    }

    @Test("are called one after the other, and skip intermediate values meanwhile")
    func slowClosure() async {
        let (calls, call) = AsyncStream.makeStream(of: Int.self)
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let observation = loader.$number.observeValues { value in
            call.yield(value)
            if value == 0 { for await _ in gate {} }
        }
        var iterator = calls.makeAsyncIterator()
        #expect(await iterator.next(isolation: #isolation) == 0)
        for number in 1...3 { memory.setValue(.integer(Int128(number)), for: "number") }
        opening.finish()
        #expect(await iterator.next(isolation: #isolation) == 3)
        memory.setValue(4, for: "number")
        #expect(await iterator.next(isolation: #isolation) == 4)
        withExtendedLifetime(observation) {}
    }

    @MainActor
    @Test("are called on the actor of the caller, and not after it has cancelled or released the observation")
    func actors() async {
        var ended: [Int] = []
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let cancelled = loader.$number.observeChanges { ended.append($0.new) }
        var released: FlagObservation? = loader.$number.observeChanges { ended.append($0.new) }
        let kept = loader.$number.observeChanges {
            MainActor.assertIsolated()
            continuation.yield($0.new)
        }
        cancelled.cancel()
        cancelled.cancel()
        #expect(released != nil)
        released = nil
        var iterator = stream.makeAsyncIterator()
        for number in 1...3 {
            memory.setValue(.integer(Int128(number)), for: "number")
            // The closures run on this actor in turn, so an ended one would have run by the third change.
            #expect(await iterator.next(isolation: #isolation) == number)
        }
        #expect(ended.isEmpty && released == nil)
        withExtendedLifetime((cancelled, kept)) {}
    }
}
