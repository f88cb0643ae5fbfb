import TacklineClosure
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

@Suite("The changes of a flag", .hangLimit)
struct FlagChangesTests {
    let first = MemoryProvider(name: "first")
    let second = MemoryProvider(name: "second")
    let loader: FlagsLoader<ChangeFlags>

    init() {
        loader = FlagsLoader(ChangeFlags.self, providers: [first, second])
    }

    @Test("are all commits that change its value, for a consumer that keeps up")
    func every() async throws {
        var iterator = loader.$number.changes.makeAsyncIterator()
        var changes: [FlagChange<Int>] = []
        for number in [1, 2, 3, nil] as [EncodedFlagValue?] {
            first.setValue(number, for: "number")
            // The same value again is no change.
            first.setValue(number, for: "number")
            changes += try await next(1, of: &iterator)
        }
        #expect(changes.map(\.old) == [0, 1, 2, 3])
        #expect(changes.map(\.new) == [1, 2, 3, 0])
        #expect(changes.map(\.source) == [.provider("first"), .provider("first"), .provider("first"), .default])
    }

    @Test("omit values that a provider further up hides, and values that the type refuses")
    func hidden() async throws {
        var iterator = loader.$number.changes.makeAsyncIterator()
        first.setValue(1, for: "number")
        second.setValue(7, for: "number")
        #expect(try await next(1, of: &iterator).map(\.new) == [1])
        first.setValue("refused", for: "number")
        #expect(try await next(1, of: &iterator).map(\.new) == [7])
        second.setValue(8, for: "number")
        first.setValue(8.0, for: "number")
        #expect(try await next(1, of: &iterator).map(\.new) == [8])
        second.setValue(9, for: "number")
        first.setValue(10, for: "number")
        #expect(try await next(1, of: &iterator).map(\.new) == [10])
    }

    @Test("begin with the iteration, and each consumer gets all of them")
    func consumers() async throws {
        var early = loader.$number.changes.makeAsyncIterator()
        first.setValue(1, for: "number")
        #expect(try await next(1, of: &early).map(\.new) == [1])
        var late = loader.$number.changes.makeAsyncIterator()
        first.setValue(2, for: "number")
        #expect(try await next(1, of: &early).map(\.old) == [1])
        #expect(try await next(1, of: &late).map(\.old) == [1])
    }

    @Test("begin at the current value for a consumer that comes after all others have ended")
    func laterConsumer() async throws {
        do {
            var iterator = loader.$number.changes.makeAsyncIterator()
            first.setValue(1, for: "number")
            #expect(try await next(1, of: &iterator).map(\.new) == [1])
        }
        first.setValue(2, for: "number")
        var iterator = loader.$number.changes.makeAsyncIterator()
        first.setValue(3, for: "number")
        let change = try await next(1, of: &iterator)
        #expect(change.map(\.old) == [2])
        #expect(change.map(\.new) == [3])
    }

    @Test("are one for each value of a commit, and print key, values and source")
    func commits() async throws {
        var iterator = loader.changes.makeAsyncIterator()
        first.setValues(["number": 1, "is_on": true, "text": "a"])
        let changes = try await next(3, of: &iterator)
        #expect(Set(changes.map(\.keyPath.text)) == ["number", "is_on", "text"])
        first.setValues(["number": 2])
        #expect(try await next(1, of: &iterator)[0].description == "number: 1 → 2 (provider \"first\")")
    }

    @Test("include a new default, a new chain and a write through the handle")
    func otherCauses() async throws {
        var iterator = loader.$number.changes.makeAsyncIterator()
        var changes: [FlagChange<Int>] = []
        let causes: [() throws -> Void] = [
            { loader.$number.setDefault(5) },
            { loader.$number.setDefault(6) },
            { loader.providers = [MemoryProvider(name: "third", values: ["number": 7]), first] },
            { try loader.$number.setValue(8) },
            {
                first.setValue(9, for: "number")
                loader.providers = [first]
            },
            { loader.providers = [] },
        ]
        for cause in causes {
            try cause()
            changes += try await next(1, of: &iterator)
        }
        #expect(changes.map(\.new) == [5, 6, 7, 8, 9, 6])
        #expect(changes.map(\.source)[2...4] == [.provider("third"), .provider("third"), .provider("first")])
    }

    @Test("of a loader include exactly the flags whose value a new chain changes")
    func chain() async throws {
        first.setValues(["number": 1, "is_on": true, "text": "same"])
        var iterator = loader.changes.makeAsyncIterator()
        loader.providers = [MemoryProvider(values: ["number": 2, "is_on": true, "text": "same"])]
        let change = try await next(1, of: &iterator)[0]
        #expect(change.keyPath == "number" && change.new == 2)
        loader.$text.setDefault("end")
        loader.providers = []
        #expect(Set(try await next(3, of: &iterator).map(\.keyPath.text)) == ["number", "is_on", "text"])
    }

    @Test("of a computed flag come if the change of an input changes its value, and only then")
    func computed() async throws {
        var iterator = loader.$doubled.changes.makeAsyncIterator()
        try loader.group.inner.$depth.setValue(2)
        try loader.$isOn.setValue(true)
        #expect(try await next(1, of: &iterator) == [FlagChange(old: 0, new: 4, source: .computed)])
        try loader.$number.setValue(3)
        try loader.group.inner.$depth.setValue(5)
        #expect(try await next(1, of: &iterator) == [FlagChange(old: 4, new: 10, source: .computed)])
    }

    @Test("include values inside objects and objects around values")
    func objects() async throws {
        var depth = loader.group.inner.$depth.changes.makeAsyncIterator()
        var limits = loader.$limits.changes.makeAsyncIterator()
        first.setValue(["inner": ["depth": 1], "width": 3], for: "group")
        first.setValue(["inner": ["depth": 1], "width": 4], for: "group")
        first.setValue(["a": 1], for: "limits")
        #expect(try await next(1, of: &depth).map(\.new) == [1])
        #expect(try await next(1, of: &limits).map(\.new) == [["a": 1]])
        first.setValue(2, for: "limits/a")
        first.setValue(7, for: "group/inner/depth")
        #expect(try await next(1, of: &limits).map(\.new) == [["a": 2]])
        #expect(try await next(1, of: &depth).map(\.new) == [7])
    }

    @Test("distinguish nil from no value in an optional flag")
    func optional() async throws {
        var iterator = loader.$maybe.changes.makeAsyncIterator()
        second.setValue("low", for: "maybe")
        var changes = try await next(1, of: &iterator)
        first.setValue(.null, for: "maybe")
        changes += try await next(1, of: &iterator)
        first.setValue(.none, for: "maybe")
        changes += try await next(1, of: &iterator)
        #expect(changes.map(\.new) == ["low", nil, "low"])
        #expect(changes.map(\.source) == [.provider("second"), .provider("first"), .provider("second")])
    }

    @Test("of a group are those of its flags and of the groups inside it")
    func groups() async throws {
        var group = loader.$group.changes.makeAsyncIterator()
        var inner = loader.group.$inner.changes.makeAsyncIterator()
        first.setValue(1, for: "number")
        first.setValue(2, for: "group/width")
        first.setValue(3, for: "group/inner/depth")
        #expect(try await next(2, of: &group).map(\.keyPath.text) == ["group/width", "group/inner/depth"])
        #expect(try await next(1, of: &inner).map(\.keyPath.text) == ["group/inner/depth"])
    }

    @Test("of a manager are those of all collections, of later ones too, until they are removed")
    func manager() async throws {
        struct Other: FlagCollectionProtocol {
            @Flag(default: 0, description: "Elsewhere") var elsewhere: Int
        }
        let manager = FlagsManager(providers: [first])
        manager.addCollection(ChangeFlags.self)
        var iterator = manager.changes.makeAsyncIterator()
        manager.addCollection(Other.self)
        first.setValue(1, for: "number")
        #expect(try await next(1, of: &iterator).map(\.keyPath.text) == ["number"])
        first.setValue(1, for: "elsewhere")
        #expect(try await next(1, of: &iterator).map(\.keyPath.text) == ["elsewhere"])
        let kept = manager.loader(for: Other.self)
        manager.removeCollection(Other.self)
        first.setValue(2, for: "elsewhere")
        first.setValue(2, for: "number")
        #expect(try await next(1, of: &iterator).map(\.keyPath.text) == ["number"])
        withExtendedLifetime(kept) {}
    }

    @Test("are merged for a consumer that does not read, and end on the newest value")
    func merged() async throws {
        var slow = loader.$number.changes.makeAsyncIterator()
        var all = loader.changes.makeAsyncIterator()
        for number in 1...1000 {
            try loader.$number.setValue(number)
            try loader.$text.setValue("\(number)")
            try loader.$isOn.setValue(number % 2 == 1)
        }
        #expect(try await next(1, of: &slow) == [FlagChange(old: 0, new: 1000, source: .provider("first"))])
        // The third flag has its old value again, so it has no change. A computed flag may have one.
        let changes = try await next(2, of: &all).map(\.description)
        #expect(changes == ["number: 0 → 1000 (provider \"first\")", "text: \"\" → \"1000\" (provider \"first\")"])
    }

    @Test("end for a cancelled consumer and continue for the others")
    func cancelled() async throws {
        let consumer = Task { [loader] in
            var count = 0
            for await _ in loader.$number.changes { count += 1 }
            return count
        }
        var other = loader.$number.changes.makeAsyncIterator()
        consumer.cancel()
        _ = await consumer.value
        first.setValue(1, for: "number")
        #expect(try await next(1, of: &other).map(\.new) == [1])
    }

    @Test("keep no provider that left the chain, once their consumers have ended")
    func formerProvider() async throws {
        weak var remembered: MemoryProvider?
        do {
            let leaving = MemoryProvider(values: ["number": 1])
            remembered = leaving
            loader.providers = [leaving]
            var iterator = loader.$number.changes.makeAsyncIterator()
            leaving.setValue(2, for: "number")
            #expect(try await next(1, of: &iterator).map(\.new) == [2])
        }
        loader.providers = [first]
        #expect(remembered == nil)
    }

    @Test("of a flag without a loader end at once")
    func unbound() async {
        var iterator = ChangeFlags().$number.changes.makeAsyncIterator()
        #expect(await iterator.next(isolation: #isolation) == nil)
    }

    @Test("behind a provider without notices come with the next change of another provider")
    func withoutNotices() async throws {
        let box = MemoryProvider(values: ["number": 1])
        loader.providers = [ClosureProvider { box.value(for: $0) }, first]
        var iterator = loader.$number.changes.makeAsyncIterator()
        box.setValue(2, for: "number")
        first.setValue(5, for: "number")
        first.setValue(6, for: "number")
        box.setValue(.none, for: "number")
        loader.$number.setDefault(4)
        let changes = try await next(1, of: &iterator)
        #expect(changes.map(\.old) == [1])
        #expect(changes.map(\.new) == [6])
    }

    @Test("are passed to a closure until its token is released")
    func closures() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        var iterator = stream.makeAsyncIterator()
        var tokens = [
            loader.$number.observeChanges { continuation.yield("flag \($0.old) \($0.new)") }
        ]
        first.setValue(1, for: "number")
        #expect(await iterator.next() == "flag 0 1")
        tokens = [loader.changes.observe { continuation.yield("loader \($0)") }]
        first.setValue(2, for: "number")
        #expect(await iterator.next() == "loader number: 1 → 2 (provider \"first\")")
        tokens = [loader.$number.observeValues { continuation.yield("value \($0)") }]
        #expect(await iterator.next() == "value 2")
        first.setValue(3, for: "number")
        #expect(await iterator.next() == "value 3")
        tokens.first?.cancel()
        withExtendedLifetime(tokens) {}
    }

    @MainActor
    @Test("are passed to no closure after its token was cancelled or released")
    func endedTokens() async {
        var ended: [Int] = []
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let cancelled = loader.$number.observeChanges { ended.append($0.new) }
        var released: FlagObservation? = loader.$number.observeChanges { ended.append($0.new) }
        let kept = loader.$number.observeChanges { continuation.yield($0.new) }
        cancelled.cancel()
        cancelled.cancel()
        #expect(released != nil)
        released = nil
        var iterator = stream.makeAsyncIterator()
        for number in 1...3 {
            first.setValue(.integer(Int128(number)), for: "number")
            // The closures run on this actor in turn, so an ended one would have run by the third change.
            #expect(await iterator.next() == number)
        }
        #expect(ended.isEmpty && released == nil)
        withExtendedLifetime((cancelled, kept)) {}
    }

    @MainActor
    @Test("are passed to a closure on the actor of the caller")
    func mainActor() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let token = loader.$number.observeValues { value in
            MainActor.assertIsolated()
            continuation.yield(value)
        }
        var iterator = stream.makeAsyncIterator()
        #expect(await iterator.next() == 0)
        withExtendedLifetime(token) {}
    }
}
