import Foundation
import Synchronization
import Tackline
import TacklineLoopback
import TacklineOFREP
import TacklineRemoteJSON
import TacklineTargeting
import TacklineTestSupport
import Testing

private struct UserFlags: FlagCollectionProtocol {
    @Flag(default: "nobody") var user: String
    @Flag(key: .absolute("user"), default: "nobody", updatePolicy: .session) var pinnedUser: String
}

@Suite("OFREP, in the first frame of a launch", .hangLimit) struct FirstFrameTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func configuration(_ change: (inout OFREPProvider.Configuration) -> Void = { _ in })
        -> OFREPProvider.Configuration
    {
        .forTests {
            $0.requests.cache = .directory(folder.url)
            change(&$0)
        }
    }

    /// A server whose one flag is the name of who asks, by the context or by the token.
    private static func reply(_ request: LoopbackRequest) -> LoopbackReply {
        if request.headerValue("If-None-Match") != nil { return .response(.notModified(etag: "\"1\"")) }
        let user = request.user ?? request.headerValue("Authorization").map { String($0.dropFirst(7)) } ?? "anonymous"
        return bulk(flag("user", "\"\(user)\"", #""variant": "own", "reason": "TARGETING_MATCH""#), etag: "\"1\"")
    }

    @Test("a context has what its server said last, at once, and explain() says that it is from the cache")
    func context() async throws {
        let server = try LoopbackServer { Self.reply($0) }
        let now = Date()
        func launch(at time: Date) throws -> OFREPProvider {
            try OFREPProvider(
                baseURL: server.url, context: ["targetingKey": "ada"],
                configuration: configuration { $0.requests.wallClock = { time } })
        }
        let first = try launch(at: now)
        try await first.refresh()
        #expect(first.evaluation(for: "user").reason == .targetingMatch)
        let next = try launch(at: now + 600)
        let flags = FlagsLoader(UserFlags.self, providers: [next])
        #expect(flags.user == "ada" && flags.pinnedUser == "ada")
        let evaluation = next.evaluation(for: "user")
        #expect(evaluation.reason == .cached && evaluation.variant == "own")
        let explanation = flags.$user.explain().description
        #expect(explanation.contains(#"[variant "own", CACHED, from the cache of 10 minutes ago]"#), "\(explanation)")
        #expect(next.evaluation(for: "nothing").description.isEmpty)
        #expect(server.requests.count == 1)

        next.setContext(["targetingKey": "ben"])
        #expect(flags.user == "nobody" && flags.pinnedUser == "nobody")
        next.setContext(["targetingKey": "ada"])
        #expect(flags.user == "ada")
        #expect(try await next.refresh() == .unchanged)
        #expect(next.evaluation(for: "user").reason == .targetingMatch)
        next.signOut()
        #expect(flags.user == "nobody")
        try await next.refresh()
        #expect(server.requests.last?.context == [:])
        #expect(try launch(at: now).value(for: "user") == nil)
    }

    @Test("a context that differs from the last launch's in an attribute has that one's values, marked as stale")
    func otherAttribute() async throws {
        let server = try LoopbackServer { request in
            // What the server said for the other context is no condition.
            request.headerValue("If-None-Match") == nil ? Self.reply(request) : status(500)
        }
        func provider(_ version: String) throws -> OFREPProvider {
            try OFREPProvider(
                baseURL: server.url, context: ["targetingKey": "ada", "appVersion": .string(version)],
                configuration: configuration())
        }
        try await provider("1.0").refresh()
        let next = try provider("1.1")
        #expect(next.value(for: "user") == "ada" && next.evaluation(for: "user").reason == .stale)
        #expect(try await next.refresh() == .unchanged)
        #expect(next.evaluation(for: "user").reason == .targetingMatch)
        #expect(try provider("1.1").evaluation(for: "user").reason == .cached)
    }

    @Test("users with one context and tokens of their own have a subject, and none meets another")
    func subject() async throws {
        let token = Mutex<String?>("ada")
        let server = try LoopbackServer { Self.reply($0) }
        let configuration = configuration { $0.bearerToken = { token.withLock { $0 } } }
        let provider = try OFREPProvider(baseURL: server.url, subject: "ada", configuration: configuration)
        let flags = FlagsLoader(UserFlags.self, providers: [provider])
        try await provider.refresh()
        #expect(flags.user == "ada" && flags.pinnedUser == "ada")
        token.withLock { $0 = "ben" }
        provider.setContext(EvaluationContext(), subject: "ben")
        #expect(flags.user == "nobody" && flags.pinnedUser == "nobody")
        try await provider.refresh()
        #expect(flags.user == "ben")
        #expect(server.requests.map { $0.headerValue("If-None-Match") } == [nil, nil])
        func next(_ subject: String?) throws -> EncodedFlagValue? {
            try OFREPProvider(baseURL: server.url, subject: subject, configuration: configuration).value(for: "user")
        }
        #expect(try next("ada") == "ada" && next("ben") == "ben" && next(nil) == nil)
        token.withLock { $0 = nil }
        provider.signOut()
        #expect(flags.user == "nobody")
        #expect(try next("ada") == "ada" && next("ben") == nil)
        try await provider.refresh()
        #expect(flags.user == "anonymous")
    }
}
