import TacklineCore
import TacklineTestSupport
import TacklineTesting
import Testing

@Suite("A scripted provider", .hangLimit)
struct ScriptedProviderTests {
    @Test("keeps the rules of providers, reads beside a stuck write included")
    func conforms() async {
        var suite = FlagProviderConformance(holding: ["a/b": true]) { ScriptedProvider(values: ["a": ["b": true]]) }
        suite.stuckWrite = { provider, whileStuck in
            guard let provider = provider as? ScriptedProvider else { return }
            provider.writeGate.close()
            let write = startThread { try provider.setValue(false, for: "a/b") }
            try await provider.writeGate.waitForArrivals(1)
            whileStuck()
            #expect(provider.value(for: "a/b") == true)
            provider.writeGate.open()
            try await write.value
            #expect(provider.value(for: "a/b") == false)
        }
        let report = await suite.report()
        #expect(report.failures == [])
        #expect(report.skipped.map(\.check) == [.refreshedKeys])
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

    @Test("plays its refreshes in order, and shows their values only once the gate lets them go")
    func refreshes() async throws {
        let provider = ScriptedProvider(name: "server")
        let failure = FlagError(.network, provider: "server", reason: "no route")
        provider.script(.values(["limit": 5]), .failure(failure), .values(["limit": 5]))
        provider.refreshGate.close()
        let first = Task { try await provider.refresh() }
        try await provider.refreshGate.waitForArrivals(1)
        #expect(provider.value(for: "limit") == nil)
        provider.refreshGate.open()
        #expect(try await first.value == .changed(["limit"]))
        #expect(provider.value(for: "limit") == 5)
        await #expect(throws: failure) { try await provider.refresh() }
        #expect(try await provider.refresh() == .unchanged)
        #expect(try await provider.refresh() == .unchanged)
        #expect(provider.refreshCount == 4)
    }

    @Test("throws for a cancelled refresh, whether it was waiting or not")
    func cancels() async throws {
        let provider = ScriptedProvider()
        provider.refreshGate.close()
        let waiting = Task { try await provider.refresh() }
        try await provider.refreshGate.waitForArrivals(1)
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await provider.refresh()
        }
        await #expect(throws: CancellationError.self) { try await early.value }
        let running = Task { try await provider.run() }
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
    }

    @Test("lets waiting refreshes go one by one, in the order in which they came")
    func oneByOne() async throws {
        let gate = FlagGate(isOpen: false)
        let first = Task { try await gate.pass() }
        try await gate.waitForArrivals(1)
        let second = Task { try await gate.pass() }
        try await gate.waitForArrivals(2)
        #expect(gate.letOneGo())
        try await first.value
        #expect(gate.letOneGo())
        try await second.value
        #expect(!gate.letOneGo())
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
