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

    @Test("are withdrawn by a document without flags that has a $version")
    func withdrawn() async throws {
        let (provider, _) = provider([.json(definitionsText()), .json(#"{"$version": 2, "flags": {}}"#)])
        try await provider.refresh()
        #expect(provider.value(for: "owner") == "user-1")
        #expect(try await provider.refresh() == .changed(["owner", "reservations", "edition"]))
        #expect(provider.value(for: "owner") == nil)
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
}
