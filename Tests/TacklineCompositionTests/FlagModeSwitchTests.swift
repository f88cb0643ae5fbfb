import TacklineComposition
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

@Suite("A mode switch", .hangLimit)
struct FlagModeSwitchTests {
    /// A live provider that can be written to.
    private struct Server: WritableFlagProvider {
        let traits = FlagProviderTraits.live
        let name = "server"
        let store = FlagProviderStore(FlagDocument(["new_checkout": true]))
        func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }
        func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }
        func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) { store.setValue(value, for: key) }
    }

    /// A provider that is live because it can be refreshed.
    private struct Refreshable: RefreshableFlagProvider {
        func value(for key: FlagKeyPath) -> EncodedFlagValue? { key.text == "max_attempts" ? 9 : nil }
        func observe(_ observer: FlagProviderObserver) -> Bool { true }
        func refresh() async throws(FlagError) -> FlagRefreshOutcome { .unchanged }
        func run() async throws {}
    }

    /// A storage that refuses every value.
    private struct FullStorage: WritableFlagProvider {
        func value(for key: FlagKeyPath) -> EncodedFlagValue? { nil }
        func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagError) {
            throw FlagError(.inputOutput, provider: name, reason: "the disk is full")
        }
    }

    @Test("makes the next read of each loader and manager use local values only, says so, and back")
    func nextRead() throws {
        let mode = FlagModeSwitch()
        let local = MemoryProvider(name: "local", values: ["max_attempts": 5])
        let flags = FlagsLoader(
            CompositionFlags.self, providers: [Server(), Refreshable(), local], mode: mode)
        let manager = FlagsManager(providers: [Server()], mode: mode)
        let managed = manager.addCollection(CompositionFlags.self)
        #expect(mode.mode == .live)
        #expect(flags.newCheckout && managed.newCheckout && flags.maxAttempts == 9)
        try mode.setMode(.local)
        #expect(!flags.newCheckout && !managed.newCheckout && flags.maxAttempts == 5)
        #expect(flags.snapshot().value(for: "new_checkout") == false)
        #expect(flags.$newCheckout.flagValue(from: Server.self) == nil)
        let explanation = flags.$newCheckout.explain()
        #expect(explanation.providers.map(\.isExcluded) == [true, true, false])
        #expect(explanation.reason == "no local provider has a usable value, and the mode is local")
        #expect(flags.$maxAttempts.explain().reason == "the first usable local value, since the mode is local")
        try mode.setMode(.live)
        #expect(flags.newCheckout && managed.newCheckout && flags.maxAttempts == 9)
    }

    @Test("restores the mode from its storage, under the key that it is given")
    func persistence() throws {
        let storage = MemoryProvider()
        try FlagModeSwitch(storage: storage).setMode(.local)
        #expect(storage.value(for: "tackline/mode") == "local")
        #expect(FlagModeSwitch(storage: storage).mode == .local)
        #expect(FlagModeSwitch(storage: storage, key: "other").mode == .live)
        try FlagModeSwitch(storage: storage).setMode(.live)
        #expect(FlagModeSwitch(storage: storage).mode == .live)
        storage.setValue("no mode", for: "other")
        #expect(FlagModeSwitch(storage: storage, key: "other").mode == .live)
        try FlagModeSwitch(storage: storage, key: "other").setMode(.local)
        #expect(storage.value(for: "other") == "local")
    }

    @Test("throws and stays as it is when the storage refuses the mode")
    func failure() {
        let mode = FlagModeSwitch(storage: FullStorage())
        #expect(throws: FlagError.self) { try mode.setMode(.local) }
        #expect(mode.mode == .live)
    }

    @Test("directs writes without names past live providers in local mode")
    func writing() throws {
        let mode = FlagModeSwitch()
        let (server, local) = (Server(), MemoryProvider())
        let flags = FlagsLoader(CompositionFlags.self, providers: [server, local], mode: mode)
        try flags.$maxAttempts.setValue(4)
        #expect(server.value(for: "max_attempts") == 4)
        try mode.setMode(.local)
        try flags.$maxAttempts.setValue(5)
        #expect(flags.maxAttempts == 5 && server.value(for: "max_attempts") == 4)
        try flags.$debugMenu.setValue(false, inProviderNamed: "server")
        #expect(server.value(for: "debug_menu") == false && flags.debugMenu)
    }
}
