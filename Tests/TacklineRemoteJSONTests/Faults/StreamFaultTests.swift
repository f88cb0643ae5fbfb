import Foundation
import TacklineCore
import TacklineLoopback
import TacklineTestSupport
import TacklineTesting
import Testing

@testable import TacklineRemoteJSON

@Suite("37: Faults of the stream", .overEachTransport, .hangLimit) struct StreamFaultTests {
    private static let eventHead = LoopbackStep.head(
        status: 200,
        headers: [
            LoopbackHeader("Content-Type", "text/event-stream; charset=utf-8")
        ])

    private let clock = ManualClock()
    private let lines = Lines()

    /// A server with a document at `/flags.json` and the given replies, one after the other, at `/events`.
    private func server(_ streams: [LoopbackReply]) throws -> LoopbackServer {
        let queue = Replies(streams)
        return try LoopbackServer { request in request.path == "/events" ? queue.next() : good() }
    }

    private func provider(
        _ server: LoopbackServer, _ change: (inout RemoteJSONProvider.Configuration) -> Void = { _ in }
    )
        -> RemoteJSONProvider
    {
        let configuration = RemoteJSONProvider.Configuration.forTests {
            $0.clock = clock
            $0.streamURL = server.url(path: "events")
            $0.log = lines.append
            change(&$0)
        }
        return RemoteJSONProvider(url: server.url(path: "flags.json"), configuration: configuration)
    }

    private func documents(_ server: LoopbackServer) -> Int { server.requests.count { $0.path == "/flags.json" } }
    private func streams(_ server: LoopbackServer) -> [LoopbackRequest] {
        server.requests.filter { $0.path == "/events" }
    }

    /// Starts a provider whose stream opens after the first fetch, and returns after the second, which that causes.
    private func start(_ provider: RemoteJSONProvider, opening: LoopbackGate) async throws -> Elements<
        Refresher.Outcome
    > {
        var outcomes = Elements(provider.refresher.outcomes)
        provider.start()
        #expect(try await outcomes.next() == .success(.changed(["a"])))
        opening.open()
        #expect(try await outcomes.next() == .success(.unchanged))
        return outcomes
    }

    @Test("a thousand events at once cause one fetch for each window of 100 ms")
    func debounce() async throws {
        let (opening, gate) = (LoopbackGate(), LoopbackGate())
        let burst = String(repeating: "data: x\n\n", count: 1000)
        let server = try server([
            .script([.waitUntil(opening), Self.eventHead, .waitUntil(gate), .text(burst), .waitUntil(LoopbackGate())])
        ])
        let provider = provider(server) {
            $0.pollInterval = .seconds(10_000)
        }
        var outcomes = try await start(provider, opening: opening)
        defer { provider.stop() }
        #expect(documents(server) == 2)
        gate.open()
        // A burst may come in portions, of which some come after the end of a window: then there is another window.
        let window = Duration.milliseconds(100)
        var windows = 0
        repeat {
            try await clock.waitForSleepers { $0.first == window }
            #expect(documents(server) == 2 + windows)
            windows += 1
            clock.advance(by: window)
            #expect(try await outcomes.next() == .success(.unchanged))
            try await clock.waitForSleepers { $0.count == 2 && ($0[0] == window || $0[0] > .seconds(1)) }
        } while clock.sleepers.first == window
        #expect(documents(server) == 2 + windows)
        #expect(streams(server).first?.headerValue("Accept") == "text/event-stream")
        #expect(streams(server).first?.headerValue("Cache-Control") == "no-cache")
    }

    @Test("after ten seconds without a header, or 90 without a sign of life, the stream is opened again")
    func noHeartbeat() async throws {
        let server = try server([
            .script([.waitUntil(LoopbackGate())]),
            .script([Self.eventHead, .text("data: x\n\n"), .waitUntil(LoopbackGate())]),
        ])
        let provider = provider(server) { $0.pollInterval = .zero }
        provider.start()
        defer { provider.stop() }
        for time in [10, 90] {
            try await advance { [self] in lines.all.contains { $0.contains("lost: nothing arrived for \(time) s") } }
        }
        try await advance { [self] in streams(server).count >= 3 }
    }

    /// Moves the clock until a condition is met.
    private func advance(until isMet: () -> Bool) async throws {
        while !isMet() {
            try Task.checkCancellation()
            clock.advance(by: .milliseconds(100))
            for _ in 0..<20 { await Task.yield() }
        }
    }

    @Test("what is no stream is tried again with growing waits, while polling goes on")
    func noStream() async throws {
        for kind in ["html", "500", "json", "redirect", "reset"] {
            let reply: LoopbackReply =
                switch kind {
                case "html": document("<html>", type: "text/html")
                case "500": status(500)
                case "json": good()
                case "redirect": .response(.redirect(to: "/events"))
                default: .script([.text("HTTP/1."), .reset])
                }
            let server = try server([reply])
            let provider = provider(server) { $0.pollInterval = .zero }
            var outcomes = Elements(provider.refresher.outcomes)
            provider.start()
            defer { provider.stop() }
            _ = try await outcomes.next()
            for wait in [0.5, 1, 2, 4, 8, 16, 30, 30] {
                try await clock.waitForSleepers { $0.contains(.seconds(wait)) }
                clock.advance(by: .seconds(wait))
            }
            #expect(await provider.waitUntilReady(), "\(kind)")
        }
    }

    // launchdarkly/js-client-sdk#133, modelcontextprotocol/kotlin-sdk#590, growthbook/growthbook-sdk-java#228
    @Test("is opened again however it ends, after the time that the server named")
    func everyEnd() async throws {
        let text = "retry: 7000\ndata: x\n\n"
        let chunked = LoopbackHeader("Transfer-Encoding", "chunked")
        let type = LoopbackHeader("Content-Type", "text/event-stream")
        let ends: [(String, [LoopbackStep])] = [
            ("in good order", [.head(status: 200, headers: [type, chunked]), .chunk(text), .lastChunk]),
            ("in a chunk", [.head(status: 200, headers: [type, chunked]), .chunk(text), .text("50\r\ndata"), .close]),
            ("without a length", [.head(status: 200, headers: [type]), .text(text), .close]),
            ("in an event", [.head(status: 200, headers: [type]), .text(text + "data: y"), .close]),
        ]
        for (name, steps) in ends {
            let server = try server([.script(steps)])
            let ends = Lines()
            let provider = provider(server) {
                $0.pollInterval = .zero
                $0.log = ends.append
            }
            provider.start()
            defer { provider.stop() }
            try await ends.wait(for: "the stream was lost")
            // The clock has not moved since the end. Half of the wait is left out.
            let due = provider.refresher.clock.now + .seconds(3.5)
            #expect(provider.refresher.read { $0.schedule.stream.due } == due, "\(name)")
            try await advance { streams(server).count >= 2 }
        }
    }

    @Test("204 ends it for good")
    func noContent() async throws {
        let server = try server([status(204)])
        let provider = provider(server)
        provider.start()
        defer { provider.stop() }
        try await lines.wait(for: "for good")
        try await clock.waitForSleepers { $0.count == 1 && $0[0] >= .seconds(270) }
        clock.advance(by: .seconds(330))
        try await wait { documents(server) == 2 }
        #expect(streams(server).count == 1)
    }

    @Test("an absurd wish for the next try is clamped")
    func retry() async throws {
        let cases = [("0", 0.05), ("99999999999999999999", 30), ("5000", 2.5), ("-1", 0.5)]
        for (text, seconds) in cases {
            let server = try server([.script([Self.eventHead, .text("retry: \(text)\n\n"), .close])])
            let provider = provider(server) { $0.pollInterval = .zero }
            provider.start()
            defer { provider.stop() }
            try await clock.waitForSleepers { $0.contains(.seconds(seconds)) }
        }
    }

    @Test("an event of 10 MB ends the connection, with bounded memory")
    func hugeEvent() async throws {
        let block = [UInt8](repeating: UInt8(ascii: "x"), count: 64 << 10)
        let server = try server([
            .script([Self.eventHead, .text("data: "), .repeatBytes(block, count: 160), .text("\n\n")])
        ])
        let provider = provider(server) { $0.pollInterval = .zero }
        provider.start()
        defer { provider.stop() }
        try await lines.wait(for: "the stream was lost")
        #expect(lines.all.contains { $0.contains("more than 1 MiB") })
    }

    @Test("for another subject and after a pause the stream is opened again")
    func reopened() async throws {
        for isTurned in [true, false] {
            let closed = LoopbackGate()
            let server = try server([
                .script([Self.eventHead, .waitForClientToClose, .open(closed)]),
                .script([Self.eventHead, .waitUntil(LoopbackGate())]),
            ])
            let provider = provider(server)
            provider.start()
            defer { provider.stop() }
            try await wait { streams(server).count == 1 }
            if isTurned { provider.setSubject("ada") } else { provider.refresher.suspend() }
            try await closed.wait()
            provider.refresher.resume()
            while streams(server).count < 2 { await Task.yield() }
        }
    }

    @Test("events that only keep the connection open cause no request; every other one does")
    func keepAlive() throws {
        let beats = [
            "event: ping\ndata: {}\n\n", "event: Keep-Alive\ndata: 1\n\n", "data: heartbeat\n\n", ": comment\n\n",
        ]
        let changes = [
            "data: x\n\n", "event: put\ndata: ping\n\n", "data: {\"type\": \"put\"}\n\n", "data: {\n\n",
            "data: [1]\n\n",
        ]
        for text in beats + changes {
            var parser = ServerSentEventParser()
            let events = try parser.consume(Array(text.utf8))
            #expect(events.allSatisfy { $0.keepsAlive } == beats.contains(text), "\(text)")
        }
    }
}
