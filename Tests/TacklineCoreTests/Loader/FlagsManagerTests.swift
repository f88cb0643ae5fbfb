import Synchronization
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

private enum North {
    struct Flags: FlagCollectionProtocol {
        @Flag(default: 1) var number: Int
    }
}

private enum South {
    struct Flags: FlagCollectionProtocol {
        @Flag(default: 2) var number: Int
    }
}

@Suite("A manager", .hangLimit)
struct FlagsManagerTests {
    @Test("distinguishes collections of the same simple name by their types")
    func sameName() {
        let manager = FlagsManager(providers: [MemoryProvider(values: ["south/number": 20])])
        let north = manager.addCollection(North.Flags.self, keyConfiguration: .init(prefix: "north"))
        let south = manager.addCollection(South.Flags.self, keyConfiguration: .init(prefix: "south"))
        #expect(north.number == 1 && south.number == 20)
        #expect(manager.loader(for: North.Flags.self) === north && manager.loader(for: South.Flags.self) === south)
        #expect(manager.addCollection(North.Flags.self) === north)
        #expect(manager.collections.flatMap(\.allFlags).map(\.keyPath.text) == ["north/number", "south/number"])
        #expect(manager.flag(at: "south/number")?.value == 20 && manager.flag(at: "no/such") == nil)
    }

    @Test("gives its chain to all collections, also after it has changed, to later ones and to removed ones")
    func oneChain() {
        let manager = FlagsManager(providers: [])
        let north = manager.addCollection(North.Flags.self, keyConfiguration: .init(prefix: "north"))
        manager.providers = [MemoryProvider(values: ["north/number": 10, "number": 30])]
        let south = manager.addCollection(South.Flags.self)
        #expect(north.number == 10 && south.number == 30)
        manager.removeCollection(South.Flags.self)
        manager.providers = []
        #expect(north.number == 1 && south.number == 2)
        #expect(manager.loader(for: South.Flags.self) == nil)
        manager.removeCollection(South.Flags.self)
        #expect(manager.loader(for: North.Flags.self) === north && manager.collections.count == 1)
    }

    @Test("gives its observation mode and its keys to collections without their own")
    func settings() {
        let manager = FlagsManager(
            keyConfiguration: KeyConfiguration(prefix: "all"), providers: [], observation: .tracked)
        let north = manager.addCollection(North.Flags.self)
        let south = manager.addCollection(
            South.Flags.self, keyConfiguration: KeyConfiguration(), observation: .untracked)
        #expect(north.observationMode == .tracked && south.observationMode == .untracked)
        #expect(north.$number.keyPath == "all/number" && south.$number.keyPath == "number")
    }

    @Test("returns one loader to all threads, and only when the loader has its chain", .needsTheMachine)
    func addedAtOnce() async {
        let provider = MemoryProvider(values: ["number": 10])
        let wrong = Counter()
        for _ in 0..<300 {
            let manager = FlagsManager(providers: [provider])
            let loaders = Mutex(Set<ObjectIdentifier>())
            let add: @Sendable () -> Void = {
                let loader = manager.addCollection(North.Flags.self)
                if loader.number != 10 { _ = wrong.next() }
                loaders.withLock { _ = $0.insert(ObjectIdentifier(loader)) }
            }
            let find: @Sendable () -> Void = {
                for _ in 0..<200 {
                    guard let loader = manager.loader(for: North.Flags.self) else { continue }
                    if loader.number != 10 { _ = wrong.next() }
                    return
                }
            }
            await onThreads([add, add, find])
            #expect(loaders.withLock { $0.count } == 1)
        }
        #expect(wrong.count == 0)
    }
}
