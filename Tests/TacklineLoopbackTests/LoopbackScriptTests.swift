import TacklineLoopback
import TacklineTestSupport
import Testing

@Suite("A scripted loopback reply", .hangLimit)
struct LoopbackScriptTests {
    @Test("is sent byte for byte, with nothing added")
    func exactBytes() async throws {
        let server = try LoopbackServer(replies: [
            .script([.bytes([0, 255]), .text("é"), .repeatBytes([7, 8], count: 2), .text("")])
        ])
        let answer = try await RawClient.ask(port: server.port)
        #expect(answer.bytes == [0, 255, 0xC3, 0xA9, 7, 8, 7, 8])
        #expect(answer.ending == .inOrder)
    }

    @Test("without steps closes the connection without an answer")
    func noSteps() async throws {
        let server = try LoopbackServer(replies: [.script([])])
        let answer = try await RawClient.ask(port: server.port)
        #expect(answer.bytes.isEmpty)
        #expect(answer.ending == .inOrder)
    }

    @Test("builds heads and chunks")
    func building() async throws {
        let server = try LoopbackServer(replies: [
            .script([
                .head(status: 103), .head(status: 200, headers: [LoopbackHeader("Transfer-Encoding", "chunked")]),
                .chunk("0123456789abcdefg"), .repeatChunk([0x78], count: 2), .lastChunk,
            ])
        ])
        let expected =
            "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "11\r\n0123456789abcdefg\r\n1\r\nx\r\n1\r\nx\r\n0\r\n\r\n"
        #expect(try await RawClient.ask(port: server.port).text == expected)
    }

    @Test("holds at a gate what comes after it, and no more")
    func gate() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer(replies: [.script([.text("before|"), .waitUntil(gate), .text("after")])])
        let client = try await onThread { try RawClient(port: server.port) }
        let before = try await onThread {
            client.transmit("GET / HTTP/1.1\r\n\r\n")
            return client.receive(until: "|")
        }
        #expect(before.text == "before|")
        #expect(!gate.isOpen)
        gate.open()
        #expect(try await onThread { client.receive() }.text == "after")
    }

    @Test("tells the test that the client has gone")
    func clientCloses() async throws {
        let gone = LoopbackGate()
        let server = try LoopbackServer(replies: [.script([.text("x"), .waitForClientToClose, .open(gone)])])
        try await onThread {
            let client = try RawClient(port: server.port)
            client.transmit("GET / HTTP/1.1\r\n\r\n")
            _ = client.receive(until: "x")
            #expect(!gone.isOpen)
        }
        try await gone.wait()
        #expect(gone.isOpen)
    }

    @Test("can end with a reset, which is not an end in good order")
    func reset() async throws {
        let server = try LoopbackServer(replies: [.script([.text("partial"), .reset, .text("never sent")])])
        let client = try await onThread { try RawClient(port: server.port) }
        client.transmit("GET / HTTP/1.1\r\n\r\n")
        let answer = try await onThread { client.receive() }
        #expect(answer.ending == .reset)
        #expect("partial".hasPrefix(answer.text))
    }

    @Test("sends nothing after a close")
    func close() async throws {
        let server = try LoopbackServer(replies: [.script([.text("all"), .close, .text("never sent")])])
        let answer = try await RawClient.ask(port: server.port)
        #expect(answer.text == "all")
        #expect(answer.ending == .inOrder)
    }

    @Test("sends 100 MB in chunks that are not held in memory")
    func hugeBody() async throws {
        let chunk = Array(repeating: UInt8(ascii: "x"), count: 10_000)
        let server = try LoopbackServer(replies: [.script([.repeatChunk(chunk, count: 10_000), .lastChunk])])
        let (count, ending) = try await onThread {
            let client = try RawClient(port: server.port)
            client.transmit("GET / HTTP/1.1\r\n\r\n")
            return client.countBytes()
        }
        #expect(count == 10_000 * (10_000 + "2710\r\n\r\n".utf8.count) + "0\r\n\r\n".utf8.count)
        #expect(ending == .inOrder)
    }

    @Test("goes on serving others after a client left in the middle of an endless body")
    func clientLeaves() async throws {
        let server = try LoopbackServer { request in
            request.target == "/endless" ? .script([.repeatBytes([1], count: .max)]) : .response(.text("ok"))
        }
        try await onThread {
            let client = try RawClient(port: server.port)
            client.transmit("GET /endless HTTP/1.1\r\n\r\n")
            _ = client.receive(until: "\u{1}")
        }
        #expect(try await RawClient.ask(port: server.port).body == "ok")
        server.stop()
        try await server.waitUntilEnded()
    }
}
