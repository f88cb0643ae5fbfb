import Synchronization
import TacklineLoopback
import TacklineTestSupport
import Testing

@Suite("A loopback server that is stopped", .hangLimit)
struct LoopbackLifetimeTests {
    @Test("closes its port before stop returns, and may be stopped again")
    func portIsClosed() async throws {
        try await expectClosed {
            let server = try LoopbackServer(replies: [.response(.text("ok"))])
            #expect(try await RawClient.ask(port: server.port).body == "ok")
            server.stop()
            let isClosed = !RawClient.hasListener(port: server.port)
            server.stop()
            #expect(server.requests.count == 1)
            try await server.waitUntilEnded()
            return isClosed
        }
    }

    @Test("ends the connections of clients that wait for an answer, wherever they wait")
    func waitingClients() async throws {
        let server = try LoopbackServer { request in
            switch request.target {
            case "/gate": .script([.text("part"), .waitUntil(LoopbackGate()), .text("rest")])
            case "/reading": .script([.text("part"), .waitForClientToClose, .text("rest")])
            default: .script([.text("part"), .repeatBytes([1], count: .max)])
            }
        }
        let clients = try await onThread {
            try ["GET /gate HTTP/1.1\r\n\r\n", "GET /reading HTTP/1.1\r\n\r\n", "GET /endless HTTP/1.1\r\n\r\n"].map {
                text in
                let client = try RawClient(port: server.port)
                client.transmit(text)
                return client
            }
        }
        try await server.waitForRequests(count: 3)
        let unfinished = try await onThread { try RawClient(port: server.port) }
        unfinished.transmit("GET / HT")
        server.stop()
        for client in clients + [unfinished] {
            let (_, ending) = try await onThread { client.countBytes() }
            #expect(ending == .inOrder || ending == .reset)
        }
        try await server.waitUntilEnded()
    }

    @Test("takes no further step of an answer that waits at a gate")
    func restIsNotSent() async throws {
        let reached = LoopbackGate()
        let passed = LoopbackGate()
        let server = try LoopbackServer(replies: [
            .script([.text("part"), .open(reached), .waitUntil(LoopbackGate()), .open(passed), .text("rest")])
        ])
        async let answer = RawClient.ask(port: server.port)
        try await reached.wait()
        server.stop()
        try await server.waitUntilEnded()
        #expect(try await answer.text == "part")
        #expect(!passed.isOpen)
    }

    @Test("lets waits for further requests go on")
    func waitForRequestsEnds() async throws {
        let server = try LoopbackServer(replies: [])
        async let waiting = server.waitForRequests(count: 1)
        server.stop()
        #expect(try await waiting.isEmpty)
    }

    @Test("can be stopped by its own handler")
    func stoppedByHandler() async throws {
        let box = ServerBox()
        let server = try LoopbackServer { _ in
            box.stop()
            return .response(.text("too late"))
        }
        box.set(server)
        #expect(try await RawClient.ask(port: server.port).bytes.isEmpty)
        try await server.waitUntilEnded()
    }

    private final class ServerBox: Sendable {
        private let server = Mutex<LoopbackServer?>(nil)

        func set(_ server: LoopbackServer) {
            self.server.withLock { $0 = server }
        }

        func stop() {
            server.withLock { $0 }?.stop()
        }
    }

    @Test("is stopped by being released, while a client still waits")
    func stoppedByRelease() async throws {
        try await expectClosed {
            let reached = LoopbackGate()
            var server: LoopbackServer? = try LoopbackServer(replies: [
                .script([.text("part"), .open(reached), .waitUntil(LoopbackGate()), .text("rest")])
            ])
            let port = try #require(server?.port)
            async let answer = RawClient.ask(port: port)
            try await reached.wait()
            server = nil
            #expect(try await answer.text == "part")
            return !RawClient.hasListener(port: port)
        }
    }

    /// Expects that what is done closes a port. A server of another test may get the port at once, so it is tried again;
    /// they cannot get all of them.
    private func expectClosed(_ attempt: () async throws -> Bool) async throws {
        for _ in 0..<5 where try await attempt() { return }
        Issue.record("the port stays open")
    }
}
