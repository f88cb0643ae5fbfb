import Foundation
import TacklineCore
import TacklineLoopback
import TacklineOFREP
import TacklineRemoteJSON
import TacklineTargeting
import TacklineTestSupport
import Testing

@Suite("OFREP, when the context changes", .hangLimit) struct ContextChangeTests {
    /// A server whose one flag is the name of who asks.
    private static func reply(_ request: LoopbackRequest) -> LoopbackReply {
        let user = request.user ?? "nobody"
        if request.headerValue("If-None-Match") == "\"\(user)\"" { return .response(.notModified(etag: "\"\(user)\"")) }
        return bulk(flag("user", "\"\(user)\""), etag: "\"\(user)\"")
    }

    @Test("nobody reads a value of the context before, nor one that was pinned")
    func values() async throws {
        let server = try LoopbackServer { Self.reply($0) }
        let provider = try OFREPProvider(
            baseURL: server.url, context: ["targetingKey": "ada"], configuration: .forTests())
        try await provider.refresh()
        let flags = FlagsLoader(PinnedUserFlags.self, providers: [provider])
        #expect(provider.value(for: "user") == "ada" && flags.user == "ada")
        provider.setContext(["targetingKey": "ben"])
        #expect(provider.value(for: "user") == nil && flags.$user.explain().pinned == nil)
        #expect(provider.evaluation(for: "user").description.isEmpty)
        #expect(try await provider.refresh() == .changed(["user"]))
        #expect(provider.value(for: "user") == "ben" && flags.user == "ben")
        // The tag of another context is never sent, also where the targeting key is the same (open-feature/flagd#2012).
        provider.setContext(["targetingKey": "ben", "plan": "premium"])
        #expect(provider.value(for: "user") == "ben" && provider.evaluation(for: "user").reason == .stale)
        if case .stale = provider.status {} else { Issue.record("\(provider.status)") }
        try await provider.refresh()
        #expect(provider.evaluation(for: "user").reason == .static && provider.status == .ready)
        #expect(server.requests.map { $0.headerValue("If-None-Match") } == [nil, nil, nil])
    }

    @Test("the last good answers are on disk for each user, and no file tells the context")
    func disk() async throws {
        let folder = try TemporaryFolder()
        let server = try LoopbackServer { Self.reply($0) }
        let configuration = OFREPProvider.Configuration.forTests { $0.requests.cache = .directory(folder.url) }
        let first = try OFREPProvider(baseURL: server.url, configuration: configuration)
        for user in ["ada", "ben", "eve"] {
            first.setContext(["targetingKey": .string("\(user)-secret")])
            try await first.refresh()
        }
        let names = try #require(FileManager.default.enumerator(atPath: folder.url.path)).compactMap { $0 as? String }
        let files = names.filter { $0.hasSuffix(".tackline") }
        #expect(files.count == 3)
        #expect(!names.contains { $0.contains("secret") })

        let second = try OFREPProvider(
            baseURL: server.url, context: ["targetingKey": "eve-secret"], configuration: configuration)
        #expect(try await second.refresh() == .unchanged)
        #expect(second.value(for: "user") == "eve-secret")
        #expect(server.requests.last?.headerValue("If-None-Match") == "\"eve-secret\"")
        // Somebody else's is not there, whatever is kept.
        second.setContext(["targetingKey": "new"])
        #expect(second.value(for: "user") == nil)
    }

    @Test("what JSON cannot carry of a context is reported, and no value of the context before is left")
    func oddContext() async throws {
        let (server, issues) = (try LoopbackServer { Self.reply($0) }, IssueRecorder())
        let provider = try FlagIssueReporter.withReporter(issues.reporter) {
            try OFREPProvider(baseURL: server.url, context: ["targetingKey": "ada"], configuration: .forTests())
        }
        try await provider.refresh()
        provider.setContext(["targetingKey": "ben", "limit": Double.infinity])
        #expect(provider.value(for: "user") == nil)
        try await provider.refresh()
        #expect(server.requests.last?.context == ["targetingKey": "ben"] && issues.codes == [.init("ofrep-context")])
    }
}

private struct PinnedUserFlags: FlagCollectionProtocol {
    @Flag(default: "nobody", updatePolicy: .session, description: "Who asks") var user: String
}
