import Foundation
import TacklineComputed
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

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
        #expect(snapshot.entries.count == user.allFlags.count)
        #expect(snapshot["no/such"] == nil)
    }

    @Test("says what differs from an older one")
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

    @Test("is the same after a round trip through JSON")
    func codable() throws {
        let user = FlagsLoader(
            UserExperiments.self, providers: [MemoryProvider(values: ["theme": "dark", "nickname": nil])])
        let snapshot = user.snapshot()
        let copy = try JSONDecoder().decode(FlagSnapshot.self, from: JSONEncoder().encode(snapshot))
        #expect(copy == snapshot)
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
        let pair = FlagsLoader(Pair.self, providers: [memory, ComputedProvider { _ in nil }])
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
