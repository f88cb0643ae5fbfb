import Foundation
import Synchronization
import TacklineCore
import TacklineRemoteJSON
import TacklineTargeting
import TacklineTestSupport
import TacklineTesting
import Testing

@Suite("Definitions from a server", .hangLimit)
struct FlagdServerTests {
    private let context = CurrentContext(ada)
    private let url: URL

    init() throws {
        url = try #require(URL(string: "https://flags.example.com/flags.json"))
    }

    private func provider(
        _ replies: [ScriptedReply], issues: FlagIssueReporter = .silent, bootstrap: FlagDocument = FlagDocument(),
        _ change: (inout RemoteJSONProvider.Configuration) -> Void = { _ in }
    ) -> (provider: RemoteJSONProvider, transport: ScriptedTransport) {
        let transport = ScriptedTransport(replies)
        let format = FlagDocumentFormat.flagd(context: .current(context), issueReporter: issues)
        let configuration = RemoteJSONProvider.Configuration.forTests(transport, change)
        let provider = RemoteJSONProvider(url: url, format: format, bootstrap: bootstrap, configuration: configuration)
        return (provider, transport)
    }

    @Test("give the values of their rules, with variant, reason and metadata")
    func values() async throws {
        let (provider, _) = provider([.json(definitionsText())])
        let flags = FlagsLoader(UserFlags.self, providers: [provider])
        #expect(flags.owner == "nobody")
        #expect(try await provider.refresh() == .changed(["owner", "reservations", "edition"]))
        #expect(flags.owner == "user-1" && flags.reservations && flags.edition == 1)
        #expect(flags.$owner.resolution().reason == .targetingMatch)
        #expect(flags.$edition.resolution().reason == .static)
        #expect(flags.$edition.resolution().evaluation?.metadata == ["flagSetId": "tests"])
        #expect(provider.value(for: "$evaluators") == nil)
        context.set(bob)
        #expect(flags.owner == "user-2" && !flags.reservations && flags.edition == 1)
    }

    @Test("are rejected as a whole where a document holds none, and the old ones and the old tag stay")
    func rejected() async throws {
        for text in [#"{"owner": "somebody"}"#, #"{"flags": "owner"}"#, #"{"$version": 2, "flags": null}"#] {
            try await FlagdServerTests().rejected(text: text)
        }
    }

    private func rejected(text: String) async throws {
        let (provider, transport) = provider([.json(definitionsText(), etag: "1"), .json(text, etag: "2")])
        try await provider.refresh()
        let error = await #expect(throws: FlagError.self) { try await provider.refresh() }
        #expect(error?.code == .rejected && error?.message.contains("format flagd") == true)
        context.set(bob)
        #expect(provider.value(for: "owner") == "user-2")
        _ = try? await provider.refresh()
        #expect(transport.requests.map { $0.headers["If-None-Match"] } == [nil, "\"1\"", "\"1\""])
    }

    @Test("may be as deep as in a file, where values may not")
    func deepRules() async throws {
        let nested = String(repeating: #"{"!": ["#, count: 40) + "true" + String(repeating: "]}", count: 40)
        let deep = #""deep": {"state": "ENABLED", "variants": {"true": 1, "false": 2}, "targeting": \#(nested)},"#
        let (provider, _) = provider([.json(definitionsText(more: deep))])
        try await provider.refresh()
        #expect(provider.value(for: "deep") == 1 && provider.value(for: "owner") == "user-1")
    }

    @Test("are evaluated by the generation of fractional that their format names")
    func generation() async throws {
        let (user, second, third) = try userBetweenGenerations()
        for (generation, side) in [(FractionalGeneration.v2, second), (.v3, third)] {
            let format = FlagDocumentFormat.flagd(context: .fixed(user), fractional: generation)
            let transport = ScriptedTransport([.json(definitionsText(more: halfText))])
            let provider = RemoteJSONProvider(url: url, format: format, configuration: .forTests(transport))
            try await provider.refresh()
            #expect(provider.value(for: "half") == side)
            #expect(provider.evaluation(for: "half").note == "fractional \(generation.rawValue)")
        }
    }

    @Test("obey the version of their document")
    func version() async throws {
        let (provider, _) = provider([.json(definitionsText(edition: 2)), .json(definitionsText(edition: 1))])
        try await provider.refresh()
        await #expect(throws: FlagError.self) { try await provider.refresh() }
        #expect(provider.value(for: "edition") == 2)
    }

    @Test("stand when one of them is bad, which is reported with its name and place")
    func badFlag() async throws {
        let log = IssueRecorder()
        let bad = #""bad": {"state": "ON", "variants": {"on": true}},"#
        let (provider, _) = provider([.json(definitionsText(more: bad))], issues: log.reporter)
        try await provider.refresh()
        #expect(provider.value(for: "owner") == "user-1" && provider.value(for: "bad") == nil)
        #expect(log.issues.map(\.code) == [.invalidDefinition] && log.issues.first?.key == "bad")
        #expect(log.issues.first?.message.contains("/flags/bad/state (line 4, column 19): ") == true)
    }

    @Test("may be reported to somebody who calls back")
    func reporterCallsBack() async throws {
        let bad = #""bad": {"state": "ON", "variants": {"on": true}},"#
        let box = Mutex<RemoteJSONProvider?>(nil)
        // Called back on the task of the refresh, which the callback itself cuts short: so it may end after the refresh.
        let calls = FlagGate()
        let reporter = FlagIssueReporter { _ in
            guard let provider = box.withLock({ $0 }) else { return }
            _ = provider.value(for: "owner")
            provider.isOffline = false
            provider.setSubject("another")
            calls.passBlocking()
        }
        let (provider, _) = provider([.json(definitionsText(more: bad))], issues: reporter)
        box.withLock { $0 = provider }
        _ = try? await provider.refresh()
        try await calls.waitForArrivals(1)
        #expect(calls.arrivals == 1)
        #expect(provider.value(for: "owner") == nil)
        box.withLock { $0 = nil }
    }

    @Test("come from the cache at the next start, evaluated for whoever is there then")
    func cache() async throws {
        let folder = try TemporaryFolder()
        let (first, _) = provider([.json(definitionsText(), etag: "1")]) { $0.cache = .directory(folder.url) }
        try await first.refresh()
        context.set(bob)
        let (second, transport) = provider([.json(definitionsText(edition: 2))]) { $0.cache = .directory(folder.url) }
        transport.gate.close()
        second.start()
        defer { second.stop() }
        #expect(await second.waitUntilReady(timeout: .seconds(3600)))
        #expect(second.value(for: "owner") == "user-2" && second.value(for: "edition") == 1)
        try await transport.gate.waitForArrivals(1)
        #expect(transport.requests.first?.headers["If-None-Match"] == "\"1\"")
        transport.gate.open()
    }

    @Test("are not taken from the cache of plain values at the same URL")
    func cacheOfValues() async throws {
        let folder = try TemporaryFolder()
        let values = ScriptedTransport([.json(#"{"owner": "a value"}"#, etag: "1")])
        let plain = RemoteJSONProvider(
            url: url, configuration: .forTests(values) { $0.cache = .directory(folder.url) })
        try await plain.refresh()
        let (provider, transport) = provider([.json(definitionsText())]) { $0.cache = .directory(folder.url) }
        try await provider.refresh()
        #expect(transport.requests.map { $0.headers["If-None-Match"] } == [nil])
        let again = RemoteJSONProvider(
            url: url, configuration: .forTests(values) { $0.cache = .directory(folder.url) })
        try await again.refresh()
        #expect(again.value(for: "owner") == "a value")
    }

    @Test("may be shipped with the app, and answer until there are newer ones")
    func bootstrap() async throws {
        guard case .object(let shipped) = try json(definitionsText()) else {
            Issue.record("the definitions are no object")
            return
        }
        let (provider, _) = provider([.json(definitionsText(edition: 2))], bootstrap: FlagDocument(shipped))
        #expect(provider.value(for: "owner") == "user-1" && provider.value(for: "edition") == 1)
        #expect(provider.evaluation(for: "owner").variant == "user-1")
        #expect(try await provider.refresh() == .changed(["edition"]))
    }

    @Test("that are shipped and are none show in the status until there are good ones")
    func badBootstrap() async throws {
        let (provider, _) = provider([.json(definitionsText())], bootstrap: FlagDocument(["owner": "me"]))
        guard case .failed(let error) = provider.status else {
            Issue.record("the status is \(provider.status)")
            return
        }
        #expect(error.message.contains("bootstrap") && error.message.contains("format flagd"))
        #expect(provider.value(for: "owner") == nil)
        try await provider.refresh()
        #expect(provider.status == .ready && provider.value(for: "owner") == "user-1")
    }

    @Test("wait for their activation, and are then evaluated for whoever is there")
    func activation() async throws {
        let (provider, _) = provider([.json(definitionsText())]) { $0.activation = .manual }
        #expect(try await provider.refresh() == .staged)
        #expect(provider.value(for: "owner") == nil)
        context.set(bob)
        #expect(provider.activate())
        #expect(provider.value(for: "owner") == "user-2")
    }

    @Test("are given back after their time to live, with everything evaluated from them")
    func withdrawal() async throws {
        let clock = ManualClock()
        let (provider, _) = provider([.json(definitionsText()), ScriptedReply(status: 500)]) { $0.clock = clock }
        let flags = FlagsLoader(UserFlags.self, providers: [provider])
        try await provider.refresh()
        #expect(flags.owner == "user-1")
        var events = provider.refresher.events.makeAsyncIterator()
        provider.start()
        defer { provider.stop() }
        try await clock.waitForSleepers { !$0.isEmpty }
        clock.advance(by: .seconds(31 * 24 * 3600))
        while let event = await events.next() {
            if case .changed(_, nil, _) = event { break }
        }
        try Task.checkCancellation()
        #expect(flags.owner == "nobody")
        context.set(bob)
        #expect(flags.owner == "nobody")
    }

    @Test("keep the rules of providers")
    func conformance() async {
        let url = url
        let suite = FlagProviderConformance(holding: ["reservations": true, "edition": 1]) {
            let format = FlagDocumentFormat.flagd(context: .current(CurrentContext(ada)))
            let transport = ScriptedTransport([.json(definitionsText())])
            let provider = RemoteJSONProvider(url: url, format: format, configuration: .forTests(transport))
            try await provider.refresh()
            return provider
        }
        await suite.expectConformance()
    }
}
