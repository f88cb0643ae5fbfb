import TacklineCore
import TacklineComposition
import TacklineMemory
import TacklineTestSupport
import Testing

@Suite("A mode switch", .hangLimit)
struct FlagModeSwitchTests {
    /// Values from elsewhere.
    private struct Server: FlagProvider {
    let kind: FlagProviderKind = .live
        func value(for key: FlagKeyPath) -> EncodedFlagValue? { key.text == "new_checkout" ? true : nil }
        func observe(_ observer: FlagProviderObserver) -> Bool { true }
    }

    /// A server that can be asked again.
    private struct Refreshable: RefreshableFlagProvider {
        func value(for key: FlagKeyPath) -> EncodedFlagValue? { key.text == "max_attempts" ? 9 : nil }
        func observe(_ observer: FlagProviderObserver) -> Bool { true }
        func refresh() async throws(FlagProviderError) -> FlagRefreshOutcome { .unchanged }
        func run() async throws {}
    }

    /// Refuses to keep anything.
    private struct FullStorage: WritableFlagProvider {
        func value(for key: FlagKeyPath) -> EncodedFlagValue? { nil }
        func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagProviderError) {
            throw FlagProviderError(.inputOutput, provider: name, reason: "the disk is full")
        }
    }

    @Test("makes the next read of each loader follow local values only, and back")
    func nextRead() throws {
        let mode = FlagModeSwitch()
        let local = MemoryProvider(values: ["max_attempts": 5])
        let flags = FlagsLoader(
            CompositionFlags.self, providers: ProviderChain([Server(), Refreshable(), local]).switched(by: mode))
        let manager = FlagsManager(providers: ProviderChain([Server()]).switched(by: mode))
        let managed = manager.addCollection(CompositionFlags.self)
        #expect(flags.newCheckout && managed.newCheckout && flags.maxAttempts == 9)
        try mode.setMode(.local)
        #expect(!flags.newCheckout && !managed.newCheckout && flags.maxAttempts == 5)
        #expect(flags.snapshot()["new_checkout"] == false)
        #expect(flags.$newCheckout.flagValue(from: Server.self) == nil)
        let explanation = flags.$newCheckout.explain()
        #expect(explanation.answers.map(\.outcome) == [.excluded, .excluded, .absent])
        #expect(explanation.reason == "no local provider has a usable value, and the mode is local")
        try mode.setMode(.live)
        #expect(flags.newCheckout && managed.newCheckout && flags.maxAttempts == 9)
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

    @Test("remembers the mode in its storage")
    func persistence() throws {
        let storage = MemoryProvider()
        try FlagModeSwitch(storage: storage).setMode(.local)
        #expect(FlagModeSwitch(storage: storage).mode == .local)
        try FlagModeSwitch(storage: storage).setMode(.live)
        #expect(FlagModeSwitch(storage: storage).mode == .live)
    }

    @Test("stays as it is when the storage cannot keep the mode")
    func failure() {
        let mode = FlagModeSwitch(storage: FullStorage())
        #expect(throws: FlagProviderError.self) { try mode.setMode(.local) }
        #expect(mode.mode == .live)
    }

    @Test("reports a stored text that is no mode, and follows the live chain")
    func unknown() {
        let log = IssueRecorder()
        let storage = MemoryProvider(values: ["tackline/mode": "offline"])
        #expect(FlagModeSwitch(storage: storage, issueReporter: log.reporter).mode == .live)
        #expect(log.codes == [.unknownMode])
    }

    @Test("tells those who follow a flag's values")
    func values() async throws {
        let mode = FlagModeSwitch()
        let flags = FlagsLoader(CompositionFlags.self, providers: ProviderChain([Server()]).switched(by: mode))
        var values = flags.$newCheckout.values.makeAsyncIterator()
        #expect(await values.next() == true)
        try mode.setMode(.local)
        #expect(await values.next() == false)
    }

    @Test("writes a flag to a local provider in local mode")
    func writing() throws {
        let mode = FlagModeSwitch()
        let local = MemoryProvider()
        let flags = FlagsLoader(CompositionFlags.self, providers: ProviderChain([Server(), local]).switched(by: mode))
        try mode.setMode(.local)
        try flags.$newCheckout.setValue(true)
        #expect(flags.newCheckout)
        #expect(local.value(for: "new_checkout") == true)
    }
}
