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

@Suite("OFREP, when the server tells changes and wants keys", .hangLimit) struct StreamTests {
    private let clock = ManualClock()
    private static let head = LoopbackStep.head(
        status: 200, headers: [LoopbackHeader("Content-Type", "text/event-stream")])

    private func provider(
        _ server: LoopbackServer, _ change: (inout OFREPProvider.Configuration) -> Void = { _ in }
    ) throws -> OFREPProvider {
        let configuration = OFREPProvider.Configuration.forTests {
            $0.requests.clock = clock
            $0.requests.pollInterval = .seconds(10_000)
            change(&$0)
        }
        return try OFREPProvider(baseURL: server.url, context: ["targetingKey": "ada"], configuration: configuration)
    }

    private func evaluations(_ server: LoopbackServer) -> [LoopbackRequest] {
        server.requests.filter { $0.path.hasSuffix("/evaluate/flags") }
    }

    /// Starts a provider whose stream opens after the first answer, and returns after the second, which that causes.
    private func start(_ provider: OFREPProvider, _ opening: LoopbackGate) async throws -> Elements<Refresher.Outcome> {
        var outcomes = Elements(provider.refresher.outcomes)
        provider.start()
        #expect(try await outcomes.next() == .success(.changed(["a"])))
        opening.open()
        #expect(try await outcomes.next() == .success(.unchanged))
        return outcomes
    }

    @Test("the first stream of a known type is followed, and its event asks; others are ignored")
    func events() async throws {
        let (opening, gate) = (LoopbackGate(), LoopbackGate())
        let streams = """
            {"type": "carrier-pigeon", "url": "https://x.example/"}, {"type": "sse"},
            {"type": "sse", "url": "https://x.example/", "endpoint": {"requestUri": "/both"}},
            {"type": "sse", "endpoint": {"requestUri": "no-slash"}},
            {"type": "sse", "endpoint": {"requestUri": "/events?channel=7"}, "inactivityDelaySec": 5}
            """
        let told = """
            data: {"type": "somethingNew"}\n\ndata: no JSON\n\n\
            data: {"type": "refetchEvaluation"}\n\n
            """
        let server = try LoopbackServer { request in
            guard request.path == "/events" else { return bulk(flag("a", gate.isOpen ? "2" : "1"), streams: streams) }
            return .script([
                .waitUntil(opening), Self.head, .waitUntil(gate), .text(told), .waitUntil(LoopbackGate()),
            ])
        }
        let lines = Lines()
        let provider = try provider(server) { $0.requests.log = lines.append }
        defer { provider.stop() }
        var outcomes = try await start(provider, opening)
        #expect(provider.value(for: "a") == 1)
        gate.open()
        try await clock.waitForSleepers { $0.first == .milliseconds(100) }
        clock.advance(by: .milliseconds(100))
        #expect(try await outcomes.next() == .success(.changed(["a"])))
        #expect(provider.value(for: "a") == 2)
        #expect(server.requests.contains { $0.target == "/events?channel=7" && $0.method == "GET" })
        #expect(evaluations(server).count == 3)
        try await lines.wait(for: "announces nothing known: no JSON")
    }

    // open-feature/flagd#2036
    @Test("an open stream is kept, although each answer names another one")
    func movedStream() async throws {
        let server = try LoopbackServer { request in
            guard request.path.hasSuffix("/evaluate/flags") else {
                return .script([Self.head, .waitUntil(LoopbackGate())])
            }
            let path = "/\(UInt64.random(in: 0...UInt64.max))"
            return bulk(flag("a", "1"), streams: "{\"type\": \"sse\", \"endpoint\": {\"requestUri\": \"\(path)\"}}")
        }
        let provider = try provider(server)
        provider.start()
        defer { provider.stop() }
        // An answer, its stream, and the answer that the opened stream asks for.
        try await server.waitForRequests(count: 3)
        try await clock.waitForSleepers { $0.count == 2 && $0[0] >= .seconds(10) }
        #expect(try await provider.refresh() == .unchanged)
        #expect(server.requests.count == 4)
    }

    @Test("a server that is asked by https leads to no stream by http, whichever way it names it")
    func safety() throws {
        let unsafe: [EncodedFlagValue] = [
            ["type": "sse", "url": "http://a.example/events"],
            ["type": "sse", "endpoint": ["origin": "http://a.example", "requestUri": "/events"]],
        ]
        let safe: EncodedFlagValue = ["type": "sse", "url": "https://b.example/events"]
        for (base, expected) in [
            ("https://a.example", "https://b.example/events"), ("http://a.example", "http://a.example/events"),
        ] {
            let endpoint = try OFREPEndpoint(try #require(URL(string: base)), provider: "p")
            for entry in unsafe {
                var document = FlagDocument(["eventStreams": .array([entry, safe])])
                #expect(endpoint.takeStream(&document)?.absoluteString == expected)
            }
        }
    }

    @Test("nobody but the server gets key and token; no log has them, nor the URL of the stream, and no file")
    func secrets() async throws {
        let folder = try TemporaryFolder()
        let other = try LoopbackServer { _ in status(500) }
        let stream = "{\"type\": \"sse\", \"url\": \"\(other.url(path: "events").absoluteString)?token=stream-secret\"}"
        let server = try LoopbackServer { _ in bulk(flag("a", "1"), etag: "\"1\"", streams: stream) }
        let lines = Lines()
        let provider = try provider(server) {
            $0.apiKey = { "key-secret" }
            $0.bearerToken = { "token-secret" }
            $0.requests.headers["X-Tenant"] = "tenant-secret"
            $0.requests.cache = .directory(folder.url)
            $0.requests.log = lines.append
        }
        provider.start()
        let connection = try #require(try await other.waitForRequests(count: 1).first)
        let evaluation = try #require(evaluations(server).first)
        #expect(evaluation.headerValue("X-API-Key") == "key-secret")
        #expect(evaluation.headerValue("Authorization") == "Bearer token-secret")
        #expect(evaluation.headerValue("X-Tenant") == "tenant-secret")
        #expect(connection.target == "/events?token=stream-secret")
        #expect(!connection.headers.contains { $0.value.contains("key-secret") || $0.value.contains("token-secret") })
        #expect(connection.headerValue("X-Tenant") == nil)
        try await lines.wait(for: "the stream was lost")
        provider.stop()
        #expect(!lines.all.contains { $0.contains("secret") })
        let names = try #require(FileManager.default.enumerator(atPath: folder.url.path)).compactMap { $0 as? String }
        let files = names.filter { $0.hasSuffix(".tackline") }
        #expect(!files.isEmpty)
        for file in files {
            let text = String(decoding: try Data(contentsOf: folder.url.appending(path: file)), as: UTF8.self)
            #expect(!text.contains("secret"))
        }
        // Without its tag, so that the next run learns the stream's address.
        let next = try self.provider(server) { $0.requests.cache = .directory(folder.url) }
        #expect(try await next.refresh() == .unchanged)
        #expect(next.value(for: "a") == 1)
        #expect(evaluations(server).last?.headerValue("If-None-Match") == nil)
    }

    @Test("a context is led to no other origin, and a token that cannot be made is a failure that shows nothing of it")
    func redirects() async throws {
        let other = try LoopbackServer { _ in bulk(flag("a", "1")) }
        let target = other.url(path: "ofrep/v1/evaluate/flags").absoluteString
        let server = try LoopbackServer(replies: [.response(.redirect(to: target, status: 307))])
        let provider = try provider(server) {
            $0.requests.allowsRedirectsToOtherOrigins = true
        }
        await #expect { try await provider.refresh() } throws: { "\($0)".contains("to another origin") }
        #expect(other.requests.isEmpty)
        struct NoToken: Error {}
        let locked = try self.provider(server) { $0.bearerToken = { throw NoToken() } }
        await #expect { try await locked.refresh() } throws: { "\($0)".contains("NoToken") }
        #expect(server.requests.count == 1)
    }

    @Test("a redirect on the server repeats the POST with the context, but a 303 is followed by a GET without it")
    func ownRedirect() async throws {
        for (status, method) in [(308, "POST"), (303, "GET")] {
            let server = try LoopbackServer { request in
                request.path == "/moved" ? bulk(flag("a", "1")) : .response(.redirect(to: "/moved", status: status))
            }
            try await provider(server).refresh()
            #expect(server.requests.map(\.method) == ["POST", method])
            #expect(server.requests.last?.user == (method == "POST" ? "ada" : nil))
        }
    }

    @Test("back from the background, the stream is opened again")
    func resuming() async throws {
        let opening = LoopbackGate()
        let stream = #"{"type": "sse", "endpoint": {"requestUri": "/events"}}"#
        let server = try LoopbackServer { request in
            guard request.path == "/events" else { return bulk(flag("a", "1"), etag: "\"1\"", streams: stream) }
            return .script([.waitUntil(opening), Self.head, .waitUntil(LoopbackGate())])
        }
        let provider = try provider(server)
        defer { provider.stop() }
        _ = try await start(provider, opening)
        provider.refresher.suspend()
        provider.refresher.resume()
        try await server.waitForRequests(count: 5)
        #expect(server.requests.count { $0.path == "/events" } == 2)
    }
}
