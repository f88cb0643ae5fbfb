import Foundation
import TacklineMemory
import TacklineTestSupport
import Testing

@testable import TacklineCore

private struct OneFlag: FlagCollectionProtocol {
    @Flag(default: 1) var only: Int
}

@Suite("A snapshot", .hangLimit)
struct SnapshotTests {
    @Test("holds every flag with its source, and does not change")
    func holds() {
        let memory = MemoryProvider(values: ["sson": true])
        let user = FlagsLoader(UserExperiments.self, providers: [memory])
        let snapshot = user.snapshot()
        memory.setValue(false, for: "sson")
        #expect(snapshot.value(for: "sson") == true && snapshot.value(for: "no/such") == nil)
        #expect(snapshot.entries["sson"]?.source == .provider("MemoryProvider"))
        #expect(snapshot.entries["max_attempts"] == FlagSnapshot.Entry(value: 3, source: .default))
        #expect(snapshot.entries.count == user.root.allFlags.count)
    }

    @Test("lists its differences from an older one by key, also flags that only one has")
    func difference() {
        let memory = MemoryProvider(name: "memory")
        let user = FlagsLoader(UserExperiments.self, providers: [memory])
        let before = user.snapshot()
        memory.setValues(["sson": true, "secrets/boom_feature": true, "max_attempts": 3])
        let difference = user.snapshot().difference(from: before)
        #expect(difference.map(\.key) == ["secrets/boom_feature", "sson"])
        #expect(difference.map(\.old?.value) == [false, false] && difference.map(\.new?.value) == [true, true])
        #expect(difference[1].description == #"sson: false → true (provider "memory")"#)
        #expect(before.difference(from: before).isEmpty)
        let one = FlagsLoader(OneFlag.self, providers: []).snapshot()
        let secrets = FlagsLoader(SecretExperiments.self, providers: []).snapshot()
        #expect(
            one.difference(from: secrets).map(\.description) == [
                "boom_feature: false → no flag", "mood_of_the_day: \"calm\" → no flag", "only: no flag → 1 (default)",
            ])
    }

    @Test("omits a flag whose value can't be encoded")
    func unencodable() {
        struct Flags: FlagCollectionProtocol {
            @Flag(default: Unencodable()) var value: Unencodable
            @Flag(default: 1) var number: Int
        }
        #expect(FlagsLoader(Flags.self, providers: []).snapshot().entries.keys.map(\.text) == ["number"])
    }

    @Test("keeps every value exactly through JSON")
    func exact() throws {
        let deep = (1...64).reduce(EncodedFlagValue.string("deep")) { value, _ in .object(["a": value]) }
        let values: [EncodedFlagValue] = [
            .double(0x1p53 + 2), -0.0, .double(.nan), .double(.infinity), .date(.distantPast), .data(Data([0, 255])),
            .null, .integer(.max), 1, 1.0, "1", "\u{FEFF}\u{0}", "", "\u{301} date 1", .unparsed("1"), .unparsed(""),
            ["string a": [1, ["integer": "1"]]], [], [:], true, deep,
        ]
        var entries: [FlagKeyPath: FlagSnapshot.Entry] = [:]
        for (number, value) in values.enumerated() {
            let key = FlagKeyPath(components: ["a/b", "\(number)"], separator: ".")
            let sources: [FlagSource] = [.provider("memory"), .scope, .computed, .default]
            entries[key] = FlagSnapshot.Entry(value: value, source: sources[number % 4], isSecret: number == 0)
        }
        let snapshot = FlagSnapshot(entries: entries)
        #expect(try JSONDecoder().decode(FlagSnapshot.self, from: JSONEncoder().encode(snapshot)) == snapshot)
        let tooDeep = FlagSnapshot.Entry(value: (1...5000).reduce(deep) { value, _ in [value] }, source: .default)
        #expect(throws: FlagValueError.self) { try JSONEncoder().encode(FlagSnapshot(entries: ["a": tooDeep])) }
    }

    @Test("is refused if its data is damaged")
    func damaged() throws {
        func decoded(_ value: String, _ kind: String) throws -> FlagSnapshot {
            let json = #"[[["bad"], "\#(value)", { "kind": "\#(kind)" }, false]]"#
            return try JSONDecoder().decode(FlagSnapshot.self, from: Data(json.utf8))
        }
        #expect(try decoded("3", "default").value(for: "bad") == 3)
        for (value, kind) in [("{", "default"), ("3", "cat"), ("3", "provider")] {
            #expect(throws: DecodingError.self) { try decoded(value, kind) }
        }
    }

    @Test("has sources that are encoded as objects of texts, which the page of the browser reads")
    func sources() throws {
        let sources: [FlagSource] = [.provider("memory"), .scope, .computed, .default]
        let encoded = try JSONDecoder().decode([[String: String]].self, from: JSONEncoder().encode(sources))
        #expect(encoded.map { $0["kind"] } == ["provider", "scope", "computed", "default"])
        #expect(encoded.map { $0["provider"] } == ["memory", nil, nil, nil])
    }
}

@Suite("A snapshot in a chain") struct SnapshotProviderTests {
    private struct GroupedFlags: FlagCollectionProtocol {
        @FlagCollection(description: "A group") var group: Inner
    }

    private struct Inner: FlagCollectionProtocol {
        @Flag(default: 0, description: "A number") var number: Int
    }

    @Test("serves as a provider, also under the keys of a loader with another separator")
    func separators() {
        let memory = MemoryProvider(values: ["group/number": 1])
        let dots = KeyConfiguration(pathSeparator: ".")
        let snapshot = FlagsLoader(GroupedFlags.self, providers: [memory]).snapshot()
        let dotted = FlagsLoader(GroupedFlags.self, keyConfiguration: dots, providers: [snapshot])
        #expect(dotted.group.number == 1)
        let slashed = FlagsLoader(GroupedFlags.self, providers: [dotted.snapshot()])
        #expect(slashed.group.number == 1 && slashed.snapshot().value(for: "group/number") == 1)
    }

    @Test("is another provider than a snapshot with other values")
    func identity() {
        let memory = MemoryProvider(values: ["group/number": 1])
        let loader = FlagsLoader(GroupedFlags.self, providers: [memory])
        let first = loader.snapshot()
        memory.setValue(2, for: "group/number")
        let second = loader.snapshot()
        let both = FlagsLoader(GroupedFlags.self, providers: [first, second])
        #expect(both.group.$number.explain().providers.map(\.provider) == ["snapshot", "snapshot 2"])
        #expect(both.group.$number.flagValue(from: first) == 1)
        #expect(both.group.$number.flagValue(from: second) == 2)
        both.providers.removeFirst()
        #expect(both.providers.count == 1 && both.group.number == 2)
    }
}
