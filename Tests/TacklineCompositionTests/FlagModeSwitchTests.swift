import Observation
import Synchronization
import TacklineComposition
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

@Suite("A mode switch", .hangLimit)
struct FlagModeSwitchTests {
    /// A live provider.
    private struct Server: FlagProvider {
        let kind = FlagProviderKind.live
        func value(for key: FlagKeyPath) -> EncodedFlagValue? { key.text == "new_checkout" ? true : nil }
        func observe(_ observer: FlagProviderObserver) -> Bool { true }
    }

    /// A live provider that can be written to.
    private struct WritableServer: WritableFlagProvider {
        let kind = FlagProviderKind.live
        let name = "server"
        let store = FlagProviderStore()
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

    /// A storage that counts writes.
    private final class CountingStorage: WritableFlagProvider {
        let count = Atomic<Int>(0)
        func value(for key: FlagKeyPath) -> EncodedFlagValue? { nil }
        func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) { count.add(1, ordering: .relaxed) }
    }

    private struct Computing: FlagCollectionProtocol {
        @Flag(default: 0, computedValue: { 7 }) var number: Int
    }

    @Test("makes the next read of each loader and manager use local values only, and back")
    func nextRead() throws {
        let mode = FlagModeSwitch()
        let local = MemoryProvider(name: "local", values: ["max_attempts": 5])
        let flags = FlagsLoader(
            CompositionFlags.self, providers: ProviderChain([Server(), Refreshable(), local]).switched(by: mode))
        let manager = FlagsManager(providers: ProviderChain([Server()]).switched(by: mode))
        let managed = manager.addCollection(CompositionFlags.self)
        #expect(mode.mode == .live)
        #expect(flags.newCheckout && managed.newCheckout && flags.maxAttempts == 9)
        try mode.setMode(.local)
        #expect(!flags.newCheckout && !managed.newCheckout && flags.maxAttempts == 5)
        #expect(flags.snapshot()["new_checkout"] == false)
        #expect(flags.$newCheckout.flagValue(from: Server.self) == nil)
        try mode.setMode(.live)
        #expect(flags.newCheckout && managed.newCheckout && flags.maxAttempts == 9)
    }

    @Test("is named in explanations while the mode is local")
    func explanations() throws {
        let mode = FlagModeSwitch()
        let local = MemoryProvider(name: "local", values: ["max_attempts": 5])
        let flags = FlagsLoader(
            CompositionFlags.self, providers: ProviderChain([Server(), Refreshable(), local]).switched(by: mode))
        try mode.setMode(.local)
        let explanation = flags.$newCheckout.explain()
        #expect(explanation.providers.map(\.isExcluded) == [true, true, false])
        #expect(explanation.providers.allSatisfy { $0.value == nil })
        #expect(explanation.reason == "no local provider has a usable value, and the mode is local")
        #expect(flags.$maxAttempts.explain().reason == "the first usable local value, since the mode is local")
    }

    @Test("takes a wrapper around a live provider for live")
    func wrapped() throws {
        let mode = FlagModeSwitch()
        try mode.setMode(.local)
        let flags = FlagsLoader(
            CompositionFlags.self,
            providers: ProviderChain([WrappingProvider(wrappedProviders: [FixedProvider(), Server()])])
                .switched(by: mode))
        #expect(!flags.newCheckout)
    }

    @Test("leaves computed values in force in local mode")
    func computed() throws {
        let mode = FlagModeSwitch()
        let flags = FlagsLoader(Computing.self, providers: ProviderChain([Server()]).switched(by: mode))
        try mode.setMode(.local)
        #expect(flags.number == 7)
    }

    @Test("stays with a loader that gets a chain without a switch, and with no loader that copies the chain")
    func inheritance() throws {
        let mode = FlagModeSwitch()
        let flags = FlagsLoader(CompositionFlags.self, providers: ProviderChain([Server()]).switched(by: mode))
        let copy = FlagsLoader(CompositionFlags.self, providers: flags.providers)
        flags.providers = [Server()]
        try mode.setMode(.local)
        #expect(!flags.newCheckout)
        #expect(copy.newCheckout)
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
        try FlagModeSwitch(storage: storage, key: "other").setMode(.local)
        #expect(storage.value(for: "other") == "local")
    }

    @Test("writes nothing when it is set to the mode that is in force")
    func unchanged() throws {
        let storage = CountingStorage()
        let mode = FlagModeSwitch(storage: storage)
        try mode.setMode(.live)
        #expect(storage.count.load(ordering: .relaxed) == 0)
        try mode.setMode(.local)
        try mode.setMode(.local)
        #expect(storage.count.load(ordering: .relaxed) == 1)
    }

    @Test("throws and stays as it is when the storage refuses the mode")
    func failure() {
        let mode = FlagModeSwitch(storage: FullStorage())
        #expect(throws: FlagError.self) { try mode.setMode(.local) }
        #expect(mode.mode == .live)
    }

    @Test("reports a stored text that is no mode to each loader, until a mode is set")
    func unknown() throws {
        let storage = MemoryProvider(values: ["tackline/mode": "offline"])
        let mode = FlagModeSwitch(storage: storage)
        #expect(mode.mode == .live)
        func codes() -> [FlagError.Code] {
            let log = IssueRecorder()
            let flags = FlagsLoader(
                CompositionFlags.self, providers: ProviderChain([Server()]).switched(by: mode),
                issueReporter: log.reporter)
            #expect(flags.newCheckout)
            return log.codes
        }
        #expect(codes() == [.unknownMode] && codes() == [.unknownMode])
        try mode.setMode(.live)
        #expect(storage.value(for: "tackline/mode") == "live")
        #expect(codes() == [])
    }

    @Test("announces the new value of a flag to consumers of its values")
    func values() async throws {
        let mode = FlagModeSwitch()
        let flags = FlagsLoader(CompositionFlags.self, providers: ProviderChain([Server()]).switched(by: mode))
        var values = flags.$newCheckout.values.makeAsyncIterator()
        #expect(await values.next() == true)
        try mode.setMode(.local)
        #expect(await values.next() == false)
    }

    @Test("reaches Observation")
    func observation() async throws {
        let mode = FlagModeSwitch()
        let flags = FlagsLoader(
            CompositionFlags.self, providers: ProviderChain([Server()]).switched(by: mode), observation: .tracked)
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
        withObservationTracking {
            #expect(flags.newCheckout)
        } onChange: {
            continuation.yield()
        }
        try mode.setMode(.local)
        for await _ in changes { break }
        #expect(!flags.newCheckout)
    }

    @Test("directs writes without names past live providers in local mode")
    func writing() throws {
        let mode = FlagModeSwitch()
        let (server, local) = (WritableServer(), MemoryProvider())
        let flags = FlagsLoader(CompositionFlags.self, providers: ProviderChain([server, local]).switched(by: mode))
        try flags.$maxAttempts.setValue(4)
        #expect(server.value(for: "max_attempts") == 4)
        try mode.setMode(.local)
        try flags.$newCheckout.setValue(true)
        #expect(flags.newCheckout)
        #expect(local.value(for: "new_checkout") == true && server.value(for: "new_checkout") == nil)
    }

    @Test("lets a named live provider be written to in local mode")
    func namedLiveProvider() throws {
        let mode = FlagModeSwitch()
        let server = WritableServer()
        let flags = FlagsLoader(CompositionFlags.self, providers: ProviderChain([server]).switched(by: mode))
        try mode.setMode(.local)
        try flags.$newCheckout.setValue(true, providers: [.named("server")])
        #expect(server.value(for: "new_checkout") == true && !flags.newCheckout)
        try mode.setMode(.live)
        #expect(flags.newCheckout)
    }
}
