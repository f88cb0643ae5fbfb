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

    @Test("are all commits that change its value, for each consumer that keeps up")
    func every() async throws {
        var iterator = loader.$number.changes.makeAsyncIterator()
        var changes: [FlagChange<Int>] = []
        for number in [1, 2, 3, nil] as [EncodedFlagValue?] {
            first.setValue(number, for: "number")
            // The same value again is no change.
            first.setValue(number, for: "number")
            changes += try await next(1, of: &iterator)
        }
        #expect(changes.map(\.key) == ["number", "number", "number", "number"])
        #expect(changes.map(\.old) == [0, 1, 2, 3])
        #expect(changes.map(\.new) == [1, 2, 3, 0])
        #expect(changes.map(\.source) == [.provider("first"), .provider("first"), .provider("first"), .default])
        first.setValue(4, for: "number")
        var late = loader.$number.changes.makeAsyncIterator()
        first.setValue(5, for: "number")
        #expect(try await next(1, of: &iterator).map(\.old) == [0])
        #expect(try await next(1, of: &late).map(\.old) == [4])
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
        first.setValue(10, for: "number")
        #expect(try await next(1, of: &iterator).map(\.new) == [10])
    }

    @Test("include a new default, a new chain and a write through the handle")
    func otherCauses() async throws {
        var iterator = loader.$number.changes.makeAsyncIterator()
        var values = loader.$number.values.makeAsyncIterator()
        #expect(try await next(1, of: &values) == [0])
        let causes: [(new: Int, source: FlagSource, cause: () throws -> Void)] = [
            (5, .default, { loader.$number.setDefault(5) }),
            (
                7, .provider("third"),
                { loader.providers = [MemoryProvider(name: "third", values: ["number": 7]), first] }
            ),
            (8, .provider("third"), { try loader.$number.setValue(8) }),
            (5, .default, { loader.providers = [] }),
        ]
        for (new, source, cause) in causes {
            try cause()
            let change = try await next(1, of: &iterator)[0]
            #expect(change.new == new && change.source == source)
            #expect(try await next(1, of: &values) == [new])
        }
    }

    @Test("of a loader are exactly those of the flags that a commit or a new chain changes")
    func loaders() async throws {
        var iterator = loader.changes.makeAsyncIterator()
        first.setValues(["number": 1, "is_on": true, "text": "same"])
        #expect(Set(try await next(3, of: &iterator).map(\.key)) == ["number", "is_on", "text"])
        loader.providers = [MemoryProvider(name: "third", values: ["number": 2, "is_on": true, "text": "same"])]
        let change = try await next(1, of: &iterator)[0]
        #expect(change == FlagChange(key: "number", old: 1, new: 2, source: .provider("third")))
        #expect(change.description == "number: 1 → 2 (provider \"third\")")
        loader.$text.setDefault("end")
        loader.providers = []
        #expect(Set(try await next(3, of: &iterator).map(\.key)) == ["number", "is_on", "text"])
    }

    @Test("of a computed flag come if the change of an input changes its value, and only then")
    func computed() async throws {
        var iterator = loader.$doubled.changes.makeAsyncIterator()
        var values = loader.$doubled.values.makeAsyncIterator()
        #expect(try await next(1, of: &values) == [0])
        try loader.group.inner.$depth.setValue(2)
        try loader.$isOn.setValue(true)
        #expect(try await next(1, of: &iterator).map(\.new) == [4])
        #expect(try await next(1, of: &values) == [4])
        try loader.$number.setValue(3)
        try loader.group.inner.$depth.setValue(5)
        #expect(
            try await next(1, of: &iterator) == [FlagChange(key: "doubled", old: 4, new: 10, source: .computed)])
    }

    @Test("include values inside objects, objects around values, and nil")
    func objects() async throws {
        var depth = loader.group.inner.$depth.changes.makeAsyncIterator()
        var limits = loader.$limits.changes.makeAsyncIterator()
        var maybe = loader.$maybe.changes.makeAsyncIterator()
        first.setValue(["inner": ["depth": 1], "width": 3], for: "group")
        first.setValue(["a": 1], for: "limits")
        second.setValue("low", for: "maybe")
        #expect(try await next(1, of: &depth).map(\.new) == [1])
        #expect(try await next(1, of: &limits).map(\.new) == [["a": 1]])
        #expect(try await next(1, of: &maybe).map(\.new) == ["low"])
        first.setValue(2, for: "limits/a")
        first.setValue(7, for: "group/inner/depth")
        first.setValue(.null, for: "maybe")
        #expect(try await next(1, of: &limits).map(\.new) == [["a": 2]])
        #expect(try await next(1, of: &depth).map(\.new) == [7])
        #expect(try await next(1, of: &maybe).map(\.new) == [nil])
    }

    @Test("of a group are those of its flags and of the groups inside it")
    func groups() async throws {
        var group = loader.$group.changes.makeAsyncIterator()
        var inner = loader.group.$inner.changes.makeAsyncIterator()
        first.setValue(1, for: "number")
        first.setValue(2, for: "group/width")
        first.setValue(3, for: "group/inner/depth")
        #expect(try await next(2, of: &group).map(\.key) == ["group/width", "group/inner/depth"])
        #expect(try await next(1, of: &inner).map(\.key) == ["group/inner/depth"])
    }

    @Test("of a manager are those of all collections, of later ones too, until they are removed")
    func manager() async throws {
        struct Other: FlagCollectionProtocol {
            @Flag(default: 0, description: "Elsewhere") var elsewhere: Int
        }
        let manager = FlagsManager(providers: [first])
        manager.addCollection(ChangeFlags.self)
        var iterator = manager.changes.makeAsyncIterator()
        let kept = manager.addCollection(Other.self)
        first.setValue(1, for: "number")
        first.setValue(1, for: "elsewhere")
        #expect(try await next(2, of: &iterator).map(\.key) == ["number", "elsewhere"])
        first.setValue(2, for: "elsewhere")
        manager.removeCollection(Other.self)
        first.setValue(3, for: "elsewhere")
        first.setValue(2, for: "number")
        #expect(try await next(1, of: &iterator).map(\.key) == ["number"])
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
        #expect(
            try await next(1, of: &slow) == [FlagChange(key: "number", old: 0, new: 1000, source: .provider("first"))])
        // The third flag has its old value again, so it has no change. A computed flag may have one.
        let changes = try await next(2, of: &all).map(\.description)
        #expect(changes == ["number: 0 → 1000 (provider \"first\")", "text: \"\" → \"1000\" (provider \"first\")"])
    }

    @Test("of a flag without a loader end at once, and its values after the default")
    func unbound() async {
        var changes = ChangeFlags().$number.changes.makeAsyncIterator()
        #expect(await changes.next(isolation: #isolation) == nil)
        var values = ChangeFlags().$number.values.makeAsyncIterator()
        #expect(await values.next(isolation: #isolation) == 0)
        #expect(await values.next(isolation: #isolation) == nil)
    }
}
