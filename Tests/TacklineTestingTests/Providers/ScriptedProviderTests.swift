import TacklineCore
import TacklineTestSupport
import TacklineTesting
import Testing

@Suite("A scripted provider", .hangLimit)
struct ScriptedProviderTests {
    private let failure = FlagError(.network, provider: "server", reason: "no route")

    @Test("keeps the rules of providers, also if it cannot tell changes", arguments: [true, false])
    func conforms(canTellChanges: Bool) async {
        let suite = FlagProviderConformance(holding: ["a/b": true]) {
            ScriptedProvider(values: ["a": ["b": true]], canTellChanges: canTellChanges)
        }
        await suite.expectConformance()
        #expect(await suite.report().passed.contains(.completeNotices) == canTellChanges)
    }

    @Test("pushes values on demand, and announces a reset")
    func pushes() async {
        let provider = ScriptedProvider()
        let flags = FlagsLoader(AppFlags.self, providers: [provider], issueReporter: .failingTest())
        #expect(!flags.newCheckout)
        provider.push(["new_checkout": true])
        #expect(flags.newCheckout)
        provider.push(["new_checkout": nil])
        #expect(!flags.newCheckout)
        let (observer, notices) = FlagProviderObserver.makeStream()
        #expect(provider.observe(observer))
        provider.announceReset()
        var iterator = notices.makeAsyncIterator()
        #expect(await iterator.next() == .reset)
        withExtendedLifetime(observer) {}
    }

    @Test("fails the writes that it was told to fail, and changes nothing then")
    func failsWrites() throws {
        let provider = ScriptedProvider()
        provider.failWrites(failure)
        #expect(throws: failure) { try provider.setValue(true, for: "new_checkout") }
        #expect(provider.value(for: "new_checkout") == nil)
        try provider.setValue(true, for: "new_checkout")
        #expect(provider.value(for: "new_checkout") == true)
    }

    @Test("refreshes as its closure says, has the values once that has returned, and runs until it is cancelled")
    func refreshes() async throws {
        let (gate, count) = (FlagGate(isOpen: false), Counter())
        let provider = ScriptedProvider { [failure] in
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
        for _ in 0..<2 { #expect(try await provider.refresh() == .unchanged) }
        let running = Task { try await provider.run() }
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
    }
}
