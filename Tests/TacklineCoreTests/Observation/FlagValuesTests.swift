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

    @Test("begin with the current value, once for each consumer")
    func first() async throws {
        memory.setValue(4, for: "number")
        var one = loader.$number.values.makeAsyncIterator()
        var other = loader.$number.values.makeAsyncIterator()
        #expect(try await next(1, of: &one) == [4])
        #expect(try await next(1, of: &other) == [4])
        memory.setValue(4, for: "number")
        memory.setValue(5, for: "number")
        #expect(try await next(1, of: &one) == [5])
        #expect(try await next(1, of: &other) == [5])
    }

    @Test("skip intermediate values, and a value that has returned, for a slow consumer")
    func slow() async throws {
        var iterator = loader.$number.values.makeAsyncIterator()
        #expect(try await next(1, of: &iterator) == [0])
        for number in 1...100 { memory.setValue(.integer(Int128(number)), for: "number") }
        #expect(try await next(1, of: &iterator) == [100])
        memory.setValue(7, for: "number")
        memory.setValue(100, for: "number")
        memory.setValue(8, for: "number")
        #expect(try await next(1, of: &iterator) == [8])
    }

    @Test("end on the newest value for a busy consumer, in 1,000 trials with writes in each step")
    func neverStale() async throws {
        for trial in 1...1000 {
            let value = EncodedFlagValue.integer(Int128(trial))
            var iterator = loader.$number.values.makeAsyncIterator()
            _ = try await next(1, of: &iterator)
            memory.setValue(-1, for: "number")
            // The consumer waits, or is about to wait, while two more writes come.
            async let seen = last(loader.$number.values, until: trial)
            memory.setValue(-2, for: "number")
            await Task.yield()
            memory.setValue(value, for: "number")
            // The first trial that fails ends the test.
            try #require(try await seen == trial)
            try #require(try await next(1, of: &iterator) == [trial])
        }
    }

    private func last(_ values: FlagValues<Int>, until end: Int) async throws -> Int {
        for await value in values where value == end { return value }
        try Task.checkCancellation()
        throw EndedEarly(count: 0)
    }

    @Test("are passed to a closure one after the other, and skip intermediate values while it runs")
    func slowClosure() async {
        let (calls, call) = AsyncStream.makeStream(of: Int.self)
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let token = loader.$number.observeValues { value in
            call.yield(value)
            if value == 0 { for await _ in gate {} }
        }
        var iterator = calls.makeAsyncIterator()
        #expect(await iterator.next() == 0)
        for number in 1...3 { memory.setValue(.integer(Int128(number)), for: "number") }
        opening.finish()
        #expect(await iterator.next() == 3)
        memory.setValue(4, for: "number")
        #expect(await iterator.next() == 4)
        withExtendedLifetime(token) {}
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

    @Test("of a computed flag change with its inputs")
    func computed() async throws {
        var iterator = loader.$doubled.values.makeAsyncIterator()
        #expect(try await next(1, of: &iterator) == [0])
        memory.setValue(3, for: "group/inner/depth")
        memory.setValue(true, for: "is_on")
        #expect(try await next(1, of: &iterator) == [6])
    }

    @Test("change with defaults and chains")
    func otherCauses() async throws {
        var iterator = loader.$number.values.makeAsyncIterator()
        _ = try await next(1, of: &iterator)
        loader.$number.setDefault(3)
        #expect(try await next(1, of: &iterator) == [3])
        loader.providers = [MemoryProvider(values: ["number": 4])]
        #expect(try await next(1, of: &iterator) == [4])
    }

    @Test("are the default, once, if the flag has no loader")
    func unbound() async {
        var iterator = ChangeFlags().$number.values.makeAsyncIterator()
        #expect(await iterator.next(isolation: #isolation) == 0)
        #expect(await iterator.next(isolation: #isolation) == nil)
    }

    @Test("end for a cancelled consumer")
    func cancelled() async {
        let task = Task { [loader] in
            for await _ in loader.$number.values {}
        }
        task.cancel()
        await task.value
    }
}
