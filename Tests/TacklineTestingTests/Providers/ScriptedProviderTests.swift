import TacklineCore
import TacklineTestSupport
import TacklineTesting
import Testing

@Suite("A scripted provider", .hangLimit)
struct ScriptedProviderTests {
    @Test("keeps the rules of providers")
    func conforms() async {
        let suite = FlagProviderConformance(holding: ["a/b": true]) { ScriptedProvider(values: ["a": ["b": true]]) }
        await suite.expectConformance()
    }

    @Test("that cannot tell changes takes no observers")
    func cannotTell() async {
        let suite = FlagProviderConformance { ScriptedProvider(canTellChanges: false) }
        let report = await suite.report()
        #expect(report.failures == [])
        #expect(report.skipped.map(\.check).contains(.completeNotices))
    }

    @Test("pushes on demand")
    func pushes() {
        let provider = ScriptedProvider()
        let flags = FlagsLoader(AppFlags.self, providers: [provider], issueReporter: .failingTest())
        #expect(!flags.newCheckout)
        provider.push(["new_checkout": true])
        #expect(flags.newCheckout)
        provider.push(["new_checkout": nil])
        #expect(!flags.newCheckout)
    }

    @Test("fails the writes that it was told to fail, and changes nothing then")
    func failsWrites() throws {
        let provider = ScriptedProvider(name: "server")
        let failure = FlagError(.network, provider: "server", reason: "no route")
        provider.failWrites(failure)
        #expect(throws: failure) { try provider.setValue(true, for: "new_checkout") }
        #expect(provider.value(for: "new_checkout") == nil)
        try provider.setValue(true, for: "new_checkout")
        #expect(provider.value(for: "new_checkout") == true)
    }

    @Test("refreshes as its closure says, and has the values once that has returned")
    func refreshes() async throws {
        let failure = FlagError(.network, provider: "server", reason: "no route")
        let (gate, count) = (FlagGate(isOpen: false), Counter())
        let provider = ScriptedProvider(name: "server") {
            try await gate.pass()
            switch count.next() {
            case 1, 3: return ["limit": 5]
            case 2: throw failure
            default: return nil
            }
        }
        let first = Task { try await provider.refresh() }
        try await gate.waitForArrivals(1)
        #expect(provider.value(for: "limit") == nil)
        gate.open()
        #expect(try await first.value == .changed(["limit"]))
        #expect(provider.value(for: "limit") == 5)
        await #expect(throws: failure) { try await provider.refresh() }
        #expect(try await provider.refresh() == .unchanged)
        #expect(try await provider.refresh() == .unchanged)
    }

    @Test("runs until its task is cancelled")
    func cancels() async throws {
        let running = Task { try await ScriptedProvider().run() }
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
    }

    @Test("announces a reset to those who still listen")
    func resets() async {
        let provider = ScriptedProvider()
        let (observer, notices) = FlagProviderObserver.makeStream()
        #expect(provider.observe(observer))
        provider.announceReset()
        var iterator = notices.makeAsyncIterator()
        #expect(await iterator.next() == .reset)
        withExtendedLifetime(observer) {}
    }
}
