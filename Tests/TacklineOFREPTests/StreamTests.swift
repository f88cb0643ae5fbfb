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

@Suite("OFREP, when a stream tells changes and the server wants keys", .hangLimit) struct StreamTests {
    private let clock = ManualClock()
    private static let head = LoopbackStep.head(
        status: 200, headers: [LoopbackHeader("Content-Type", "text/event-stream")])

    private func provider(
        _ server: LoopbackServer, _ change: (inout RemoteJSONProvider.Configuration) -> Void = { _ in }
    ) throws -> OFREPProvider {
        let configuration = RemoteJSONProvider.Configuration.forTests {
            $0.clock = clock
            $0.pollInterval = .seconds(10_000)
            change(&$0)
        }
        return try OFREPProvider(baseURL: server.url, context: ["targetingKey": "ada"], configuration: configuration)
    }

    private func evaluations(_ server: LoopbackServer) -> [LoopbackRequest] {
        server.requests.filter { $0.path.hasSuffix("/evaluate/flags") }
    }

    /// Starts a provider whose stream opens after the first answer, and returns after the second, which that causes.
    private func start(_ provider: OFREPProvider, _ opening: LoopbackGate) async throws -> Outcomes {
        var outcomes = Outcomes(provider)
        provider.start()
        #expect(try await outcomes.next() == .success(.changed(["a"])))
        opening.open()
        #expect(try await outcomes.next() == .success(.unchanged))
        return outcomes
    }

    @Test("an event of the configured stream asks, and those that servers name in their answers are ignored")
    func events() async throws {
        let (opening, gate) = (LoopbackGate(), LoopbackGate())
        let server = try LoopbackServer { request in
            guard request.path == "/events" else {
                return bulk(
                    flag("a", gate.isOpen ? "2" : "1"),
                    streams: #"{"type": "sse", "endpoint": {"requestUri": "/other"}}"#)
            }
            let event = #"data: {"type": "refetchEvaluation"}"# + "\n\n"
            return .script([
                .waitUntil(opening), Self.head, .waitUntil(gate), .text(event), .waitUntil(LoopbackGate()),
            ])
        }
        let provider = try provider(server) { $0.streamURL = server.url(path: "events") }
        defer { provider.stop() }
        var outcomes = try await start(provider, opening)
        #expect(provider.value(for: "a") == 1)
        gate.open()
        try await clock.waitForSleepers { $0.first == .milliseconds(100) }
        clock.advance(by: .milliseconds(100))
        #expect(try await outcomes.next() == .success(.changed(["a"])))
        #expect(provider.value(for: "a") == 2)
        #expect(evaluations(server).count == 3 && server.requests.count == 4)
    }

    @Test("the server gets key and token; no log and no file has them, nor the URL of a stream")
    func secrets() async throws {
        let folder = try TemporaryFolder()
        let stream = #"{"type": "sse", "url": "https://flags.example/events?token=stream-secret"}"#
        let server = try LoopbackServer(replies: [bulk(flag("a", "1"), etag: "\"1\"", streams: stream), status(401)])
        let lines = Lines()
        let provider = try provider(server) {
            $0.headers["X-API-Key"] = "key-secret"
            $0.authorization = { "Bearer token-secret" }
            $0.cache = .directory(folder.url)
            $0.log = lines.append
        }
        try await provider.refresh()
        _ = try? await provider.refresh()
        #expect(server.requests.first?.headerValue("X-API-Key") == "key-secret")
        #expect(server.requests.first?.headerValue("Authorization") == "Bearer token-secret")
        try await lines.wait(for: "a request failed")
        #expect(!lines.all.contains { $0.contains("secret") })
        let files = try folder.names()
        #expect(files.count == 1)
        for file in files { #expect(try !folder.text(file).contains("secret")) }
        let next = try self.provider(server) { $0.cache = .directory(folder.url) }
        #expect(next.value(for: "a") == 1)
    }

    @Test("a context is led to no other origin, and a token that cannot be made is a failure that shows nothing of it")
    func redirects() async throws {
        let other = try LoopbackServer { _ in bulk(flag("a", "1")) }
        let target = other.url(path: "ofrep/v1/evaluate/flags").absoluteString
        let server = try LoopbackServer(replies: [.response(.redirect(to: target, status: 307))])
        let provider = try provider(server)
        await #expect { try await provider.refresh() } throws: { "\($0)".contains("another origin") }
        #expect(other.requests.isEmpty)
        struct NoToken: Error {}
        let locked = try self.provider(server) { $0.authorization = { throw NoToken() } }
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
        let server = try LoopbackServer { request in
            guard request.path == "/events" else { return bulk(flag("a", "1"), etag: "\"1\"") }
            return .script([.waitUntil(opening), Self.head, .waitUntil(LoopbackGate())])
        }
        let provider = try provider(server) { $0.streamURL = server.url(path: "events") }
        defer { provider.stop() }
        _ = try await start(provider, opening)
        provider.refresher.suspend()
        provider.refresher.resume()
        try await server.waitForRequests(count: 5)
        #expect(server.requests.count { $0.path == "/events" } == 2)
    }
}
