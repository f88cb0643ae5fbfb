import Foundation
import TacklineClosure
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

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
        #expect(snapshot["sson"] == true)
        #expect(snapshot.entries["sson"]?.source == .provider("MemoryProvider"))
        #expect(snapshot.entries["max_attempts"] == FlagSnapshot.Entry(value: 3, source: .default))
        #expect(snapshot.entries.count == user.root.allFlags.count)
        #expect(snapshot["no/such"] == nil)
    }

    @Test("lists its differences from an older one")
    func difference() {
        let memory = MemoryProvider(name: "memory")
        let user = FlagsLoader(UserExperiments.self, providers: [memory])
        let before = user.snapshot()
        memory.setValues(["sson": true, "secrets/boom_feature": true, "max_attempts": 3])
        let difference = user.snapshot().difference(from: before)
        #expect(
            difference.description == """
                secrets/boom_feature: false → true (provider "memory")
                sson: false → true (provider "memory")
                """)
        #expect(before.difference(from: before).isEmpty)
    }

    @Test("lists a flag that only one of two snapshots has")
    func differentFlags() {
        let user = FlagsLoader(SecretExperiments.self, providers: []).snapshot()
        let other = FlagsLoader(OneFlag.self, providers: []).snapshot()
        #expect(
            other.difference(from: user).description == """
                boom_feature: false → no flag
                mood_of_the_day: "calm" → no flag
                only: no flag → 1 (default)
                """)
    }

    @Test("omits a flag whose value can't be encoded")
    func unencodable() {
        struct Flags: FlagCollectionProtocol {
            @Flag(default: Unencodable()) var value: Unencodable
            @Flag(default: 1) var number: Int
        }
        #expect(FlagsLoader(Flags.self, providers: []).snapshot().entries.keys.map(\.text).sorted() == ["number"])
    }

    @Test("is the same after a round trip through JSON")
    func codable() throws {
        let user = FlagsLoader(
            UserExperiments.self, providers: [MemoryProvider(values: ["theme": "dark", "nickname": .null])])
        let snapshot = user.snapshot()
        let copy = try JSONDecoder().decode(FlagSnapshot.self, from: JSONEncoder().encode(snapshot))
        #expect(copy == snapshot)
    }

    @Test("keeps every value exactly through JSON")
    func exact() throws {
        let values: [EncodedFlagValue] = [
            .double(0x1p53 + 2), -0.0, .double(.nan), .double(.infinity), .date(.distantPast), .data(Data([0, 255])),
            .null,
            .integer(.max), 1, 1.0, "1", "\u{FEFF}\u{0}", .unparsed("1"), ["a": [1, ["integer": "1"]]], [], [:], true,
        ]
        let entries = values.enumerated().map { number, value in
            (FlagKeyPath("v\(number)"), FlagSnapshot.Entry(value: value, source: .provider("memory")))
        }
        let snapshot = FlagSnapshot(entries: Dictionary(uniqueKeysWithValues: entries), separator: "/")
        #expect(try JSONDecoder().decode(FlagSnapshot.self, from: JSONEncoder().encode(snapshot)) == snapshot)
    }

    @Test("is refused if its data is damaged")
    func damaged() throws {
        let json = #"{ "separator": "/", "entries": [{ "key": "bad", "value": 3, "source": { "kind": "default" } }] }"#
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(FlagSnapshot.self, from: Data(json.utf8)) }
    }

    @Test("serves as a provider")
    func provider() {
        let source = FlagsLoader(
            UserExperiments.self, providers: [MemoryProvider(values: ["theme": "dark", "secrets/boom_feature": true])])
        let user = FlagsLoader(UserExperiments.self, providers: [source.snapshot()])
        #expect(user.theme == .dark && user.secrets.boomFeature)
        #expect(user.snapshot().difference(from: source.snapshot()).isEmpty)
    }

    @Test("never shows half of a commit, while writers commit pairs")
    func consistent() async {
        struct Pair: FlagCollectionProtocol {
            @Flag(default: 0) var left: Int
            @Flag(default: 0) var right: Int
        }
        let memory = MemoryProvider()
        let pair = FlagsLoader(Pair.self, providers: [memory, ClosureProvider { _ in nil }])
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 0..<2000 {
                    memory.setValues(["left": .integer(Int128(number)), "right": .integer(Int128(number))])
                }
            }
            group.addTask {
                var last: EncodedFlagValue = 0
                for _ in 0..<500 {
                    let snapshot = pair.snapshot()
                    #expect(snapshot["left"] == snapshot["right"])
                    last = snapshot["left"] ?? last
                }
            }
        }
        #expect(pair.snapshot()["left"] == 1999)
    }
}

@Suite("A snapshot in a chain") struct SnapshotProviderTests {
    private struct GroupedFlags: FlagCollectionProtocol {
        @FlagCollection(description: "A group") var group: Inner
    }

    private struct Inner: FlagCollectionProtocol {
        @Flag(default: 0, description: "A number") var number: Int
    }

    @Test("answers under the keys of a loader with another separator")
    func separators() {
        let memory = MemoryProvider(values: ["group/number": 1])
        let dots = KeyConfiguration(pathSeparator: ".")
        let snapshot = FlagsLoader(GroupedFlags.self, providers: [memory]).snapshot()
        let dotted = FlagsLoader(GroupedFlags.self, keyConfiguration: dots, providers: [snapshot])
        #expect(dotted.group.number == 1)
        let slashed = FlagsLoader(GroupedFlags.self, providers: [dotted.snapshot()])
        #expect(slashed.group.number == 1 && slashed.snapshot()["group/number"] == 1)
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
