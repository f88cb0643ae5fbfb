import Foundation
import Synchronization
import TacklineCore
import TacklineLoopback
import TacklineRemoteJSON
import TacklineTargeting
import TacklineTestSupport
import TacklineTesting
import Testing

@testable import TacklineOFREP

@Suite("OFREP for many contexts", .hangLimit) struct DynamicContextTests {
    private struct Flags: FlagCollectionProtocol {
        @Flag(default: "nobody", description: "") var user: String
        @Flag(default: 0, description: "") var round: Int
    }

    /// As long as the test runs.
    private final class Servers: Sendable {
        private let servers = Mutex<[LoopbackServer]>([])
        func add(_ server: LoopbackServer) { servers.withLock { $0.append(server) } }
    }

    private let servers = Servers()
    private let clock = ManualClock()
    private let issues = IssueRecorder()

    private func provider(
        _ server: LoopbackServer, maximumContexts: Int = 100,
        _ change: (inout OFREPProvider.Configuration) -> Void = { _ in }
    ) throws -> OFREPServerProvider {
        servers.add(server)
        let configuration = OFREPProvider.Configuration.forTests {
            $0.requests.clock = clock
            change(&$0)
        }
        return try FlagIssueReporter.withReporter(issues.reporter) {
            try OFREPServerProvider(
                baseURL: server.url, maximumContexts: maximumContexts, configuration: configuration)
        }
    }

    private func user(_ name: String) -> EvaluationContext { EvaluationContext(targetingKey: name) }

    /// A server that records who asks, and how many requests there were.
    private func server(tag: String? = nil) throws -> LoopbackServer {
        let count = Mutex(0)
        return try LoopbackServer { request in
            let round = count.withLock { count in
                count += 1
                return count
            }
            if let tag, request.headerValue("If-None-Match") == tag { return .response(.notModified(etag: tag)) }
            let name = request.user ?? "?"
            return bulk("\(flag("user", "\"\(name)\"")),\(flag("round", "\(round)"))", etag: tag)
        }
    }

    @Test("reads go by the task's context, through one loader, and no two users meet")
    func users() async throws {
        let provider = try provider(server())
        let flags = FlagsLoader(Flags.self, providers: [provider])
        #expect(flags.user == "nobody")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...20 {
                group.addTask {
                    await provider.withEvaluation(for: user("u\(number)")) {
                        for _ in 1...20 {
                            #expect(flags.user == "u\(number)")
                            await Task.yield()
                        }
                        #expect("\(flags.$user.explain())".contains("STATIC"))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(flags.user == "nobody")
        #expect(provider.answer == nil)
    }

    @Test("what a request was given stays as it is, while others get what is new")
    func stable() async throws {
        let provider = try provider(server())
        let flags = FlagsLoader(Flags.self, providers: [provider])
        await provider.withEvaluation(for: user("ada")) {
            #expect(flags.round == 1)
            clock.advance(by: .seconds(31))
            let next = await provider.answer(for: user("ada"))
            #expect(next.values.value(for: "round") == 2)
            #expect(flags.round == 1)
        }
        await provider.withEvaluation(for: user("ada")) { #expect(flags.round == 2) }
    }

    @Test("an evaluation is kept for its age, and confirmed by its tag afterwards")
    func age() async throws {
        let server = try server(tag: "\"1\"")
        let provider = try provider(server)
        _ = await provider.answer(for: user("ada"))
        clock.advance(by: .seconds(29))
        _ = await provider.answer(for: user("ada"))
        #expect(server.requests.count == 1)
        clock.advance(by: .seconds(2))
        #expect(await provider.answer(for: user("ada")).values.value(for: "round") == 1)
        clock.advance(by: .seconds(29))
        #expect(await provider.answer(for: user("ada")).values.value(for: "round") == 1)
        #expect(server.requests.map { $0.headerValue("If-None-Match") } == [nil, "\"1\""])
    }

    @Test("where the server fails, an old evaluation counts, and says so")
    func stale() async throws {
        let isBroken = Mutex(false)
        let server = try LoopbackServer { request in
            if isBroken.withLock({ $0 }) {
                return status(request.user == "ben" ? 500 : 429, [.init("Retry-After", "1")])
            }
            return bulk(flag("user", "\"\(request.user ?? "")\""))
        }
        let provider = try provider(server)
        let flags = FlagsLoader(Flags.self, providers: [provider])
        for name in ["ada", "ben"] { #expect(await !provider.answer(for: user(name)).isStale) }
        isBroken.withLock { $0 = true }
        clock.advance(by: .seconds(31))
        for name in ["ben", "ada", "ada"] {
            await provider.withEvaluation(for: user(name)) {
                #expect(flags.user == name)
                #expect(flags.$user.resolution().reason == .stale)
            }
        }
        guard case .failed = provider.status else { return #expect(Bool(false), "the failure does not show") }
        #expect(await provider.answer(for: user("cleo")).error != nil)
    }

    @Test("all who wait for one context share a request, and one who is cancelled waits no longer")
    func sharing() async throws {
        let gate = LoopbackGate()
        let body = "{\"flags\": [\(flag("user", "\"ada\""))]}"
        let length = LoopbackHeader("Content-Length", "\(body.utf8.count)")
        let server = try LoopbackServer { _ in
            .script([.waitUntil(gate), .head(status: 200, headers: [length]), .text(body)])
        }
        let provider = try provider(server)
        let waiting = (1...10).map { _ in Task { await provider.answer(for: user("ada")) } }
        try await server.waitForRequests(count: 1)
        waiting[0].cancel()
        #expect(await waiting[0].value.error?.code == .cancelled)
        gate.open()
        for task in waiting.dropFirst() { #expect(await task.value.values.value(for: "user") == "ada") }
        #expect(server.requests.count == 1)
        #expect(issues.codes.isEmpty)
    }

    @Test("where the server cannot be asked, flags have their defaults, and explain() says why")
    func failure() async throws {
        let server = try LoopbackServer(replies: [status(403)])
        let provider = try provider(server)
        let flags = FlagsLoader(Flags.self, providers: [provider])
        await provider.withEvaluation(for: user("ada")) {
            #expect(flags.user == "nobody")
            #expect("\(flags.$user.explain())".contains("403"))
            #expect(provider.answer?.error?.code == "misconfigured")
        }
        #expect(issues.codes == [.init("refused-request")])
        guard case .failed = provider.status else { Issue.record("\(provider.status)"); return }
    }

    @Test("before the end of the silence that the server asked for nobody asks, for no context; what is kept is given")
    func silence() async throws {
        let server = try LoopbackServer(replies: [
            bulk(flag("a", "1")), status(429, [LoopbackHeader("Retry-After", "20")]), bulk(flag("a", "2")),
        ])
        let provider = try provider(server)
        _ = await provider.answer(for: user("ada"))
        for name in ["ben", "eve"] {
            #expect(await provider.answer(for: user(name)).error?.message.contains("status 429") == true)
        }
        #expect(await provider.answer(for: user("ada")).values.value(for: "a") == 1)
        #expect(server.requests.count == 2)
        clock.advance(by: .seconds(21))
        #expect(await provider.answer(for: user("eve")).values.value(for: "a") == 2)
    }

    // PostHog/posthog-js#2825, PostHog/posthog-js-lite#195
    @Test("after three failures in a row not every context asks a server that is down, for a time that doubles")
    func pause() async throws {
        let isUp = Mutex(false)
        let server = try LoopbackServer { _ in isUp.withLock { $0 } ? bulk(flag("a", "1")) : status(500) }
        let provider = try provider(server)
        func ask() async -> FlagError? {
            await provider.answer(for: user("u\(Int.random(in: 0...1_000_000))")).error
        }
        for _ in 1...10 { #expect(await ask()?.code == .network) }
        #expect(server.requests.count == 3)
        clock.advance(by: .seconds(1))
        for _ in 1...10 { #expect(await ask()?.code == .network) }
        #expect(server.requests.count == 4)
        isUp.withLock { $0 = true }
        clock.advance(by: .seconds(2))
        for _ in 1...3 { #expect(await ask() == nil) }
        #expect(server.requests.count == 7)
    }

    @Test("contexts asked in turn are asked for once each, and one too many drops the one asked least lately")
    func leastRecentlyUsed() async throws {
        let server = try server()
        let provider = try provider(server, maximumContexts: 10) {
            // What doesn't concern a provider for many contexts changes nothing.
            $0.requests.activation = .manual
        }
        for _ in 1...3 {
            for number in 0..<10 { _ = await provider.answer(for: user("u\(number)")) }
        }
        #expect(server.requests.count == 10)
        _ = await provider.answer(for: user("u0"))
        _ = await provider.answer(for: user("another"))
        for number in 2..<10 { _ = await provider.answer(for: user("u\(number)")) }
        _ = await provider.answer(for: user("u0"))
        #expect(server.requests.count == 11)
        _ = await provider.answer(for: user("u1"))
        #expect(server.requests.count == 12)
    }

    @Test(
        "a mistake in a flag is reported once, not for each context; a context that JSON cannot carry goes by its key")
    func mistakes() async throws {
        let server = try LoopbackServer { _ in bulk("1,\(flag("a", "1"))") }
        let provider = try provider(server)
        for name in ["ada", "ben", "eve"] {
            #expect(await provider.answer(for: user(name)).values.value(for: "a") == 1)
        }
        #expect(issues.codes == [.init("ofrep-flag")])
        let odd = EvaluationContext(targetingKey: "x", attributes: ["a": .double(.nan)])
        _ = await provider.answer(for: odd)
        #expect(server.requests.last?.context == ["targetingKey": "x"])
        #expect(issues.codes.last == .init("ofrep-context"))
    }
}
