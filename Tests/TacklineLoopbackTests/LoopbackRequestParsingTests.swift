import TacklineLoopback
import TacklineTestSupport
import Testing

@Suite("A loopback server that reads a request", .hangLimit)
struct LoopbackRequestParsingTests {
    @Test("answers a malformed one with 400 and shows it to nobody")
    func malformed() async throws {
        let cases: [RawText] = [
            "GET\r\n\r\n" as RawText,
            "GET / HTTP/1.1 x\r\n\r\n",
            "GET  / HTTP/1.1\r\n\r\n",
            "G T / HTTP/1.1\r\n\r\n",
            "GE(T / HTTP/1.1\r\n\r\n",
            "GET /\u{1} HTTP/1.1\r\n\r\n",
            "GET /ä HTTP/1.1\r\n\r\n",
            "GET / HTTP/2.0\r\n\r\n",
            "GET / HTTP/1.10\r\n\r\n",
            "GET / FTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nno colon\r\n\r\n",
            "GET / HTTP/1.1\nA: 1\n\n",
            "GET / HTTP/1.1\r\nA: 1\nB: 2\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx",
            "GET / HTTP/1.1\r\n: no name\r\n\r\n",
            "GET / HTTP/1.1\r\nA: 1\r\n folded: 2\r\n\r\n",
            "GET / HTTP/1.1\r\nName : value\r\n\r\n",
            "GET / HTTP/1.1\r\nA: \0\r\n\r\n",
            "GET / HTTP/1.1\r\nA: 1\rB: 2\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\nx",
            "POST / HTTP/1.1\r\nContent-Length: 1x\r\n\r\nx",
            "POST / HTTP/1.1\r\nContent-Length: a\r\n\r\nx",
            "POST / HTTP/1.1\r\nContent-Length:\r\n\r\nx",
            "POST / HTTP/1.1\r\nContent-Length: １\r\n\r\nx",
            "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
            "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\0\n0\r\n\r\n",
            "\u{16}\u{3}\u{1}\u{0}\n\n",
        ]
        for text in cases {
            let server = try LoopbackServer(replies: [.response(.text("ok"))])
            let answer = try await RawClient.exchange(port: server.port, text.text)
            #expect(answer.statusLine == "HTTP/1.1 400 Bad Request", "\(text)")
            #expect(answer.ending == .inOrder, "\(text)")
            #expect(server.requests.isEmpty, "\(text)")
        }
    }

    @Test("refuses headers past 64 KiB with 431, however they are cut")
    func headersTooLarge() async throws {
        let cases: [RawText] = [
            String(repeating: "x", count: 70_000),
            "GET /" + String(repeating: "x", count: 70_000) + " HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nA: " + String(repeating: "x", count: 70_000) + "\r\n\r\n",
            "GET / HTTP/1.1\r\n" + String(repeating: "A: b\r\n", count: 12_000) + "\r\n",
            String(repeating: "\r\n", count: 40_000),
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + String(repeating: "0", count: 5_000),
        ].map { RawText($0) }
        for text in cases {
            let server = try LoopbackServer(replies: [.response(.text("ok"))])
            let answer = try await RawClient.exchange(port: server.port, text.text)
            #expect(answer.statusLine == "HTTP/1.1 431 Request Header Fields Too Large", "\(text)")
            #expect(server.requests.isEmpty, "\(text)")
        }
    }

    @Test("accepts headers of just under 64 KiB")
    func largeHeaders() async throws {
        let server = try LoopbackServer(replies: [.response(.text("ok"))])
        let value = String(repeating: "x", count: 65_000)
        _ = try await RawClient.exchange(port: server.port, "GET / HTTP/1.1\r\nA: \(value)\r\n\r\n")
        #expect(server.requests.first?.headerValue("a")?.utf8.count == 65_000)
    }

    @Test("refuses a body past 16 MiB with 413 as soon as its size is known")
    func bodyTooLarge() async throws {
        let cases: [RawText] = [
            "Content-Length: 16777217\r\n\r\n" as RawText,
            "Content-Length: 99999999999999999999999999\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n1000001\r\n",
            "Transfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\n",
            "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\nffffffffffffffffffffffff\r\n",
            "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n1000000\r\n",
        ]
        for rest in cases {
            let server = try LoopbackServer(replies: [.response(.text("ok"))])
            let answer = try await RawClient.exchange(port: server.port, "POST / HTTP/1.1\r\n" + rest.text)
            #expect(answer.statusLine == "HTTP/1.1 413 Content Too Large", "\(rest)")
            #expect(server.requests.isEmpty, "\(rest)")
        }
    }

    @Test("puts a chunked body together and drops extensions and trailer")
    func chunkedBody() async throws {
        let server = try LoopbackServer(replies: [.response(.text("ok"))])
        let text =
            "POST / HTTP/1.1\r\nTransfer-Encoding: Chunked\r\n\r\n3;name=value\r\nabc\r\nA\r\n0123456789\r\n"
            + "00\r\nTrailer: dropped\r\n\r\n"
        #expect(try await RawClient.exchange(port: server.port, text).body == "ok")
        #expect(server.requests.first?.body == Array("abc0123456789".utf8))
        #expect(server.requests.first?.headerValue("Trailer") == nil)
    }

    @Test("takes blank lines before it")
    func blankLines() async throws {
        let server = try LoopbackServer(replies: [.response(.text("ok"))])
        #expect(
            try await RawClient.exchange(port: server.port, "\r\n\r\nGET /x HTTP/1.0\r\nA: b\r\n\r\n").body == "ok")
        #expect(server.requests.first?.target == "/x")
        #expect(server.requests.first?.headerValue("A") == "b")
    }

    @Test("puts together a request that comes in two parts, wherever it is cut")
    func cutAnywhere() async throws {
        let text = "POST /x HTTP/1.1\r\nA: b\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
        let server = try LoopbackServer(replies: [.response(.text("ok"))])
        for cut in 1..<text.utf8.count {
            let answer = try await onThread {
                let client = try RawClient(port: server.port)
                client.transmit(String(decoding: Array(text.utf8).prefix(cut), as: UTF8.self))
                client.transmit(String(decoding: Array(text.utf8).dropFirst(cut), as: UTF8.self))
                return client.receive()
            }
            #expect(answer.body == "ok", "cut at \(cut)")
        }
        #expect(server.requests.allSatisfy { $0.body == Array("abc".utf8) && $0.target == "/x" })
    }

    @Test("closes without an answer when the client ends before it is complete")
    func incomplete() async throws {
        let server = try LoopbackServer(replies: [.response(.text("ok"))])
        for text in ["", "GET / HT", "GET / HTTP/1.1\r\nA", "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\nx"] {
            let answer = try await onThread {
                let client = try RawClient(port: server.port)
                client.transmit(text)
                client.endTransmission()
                return client.receive()
            }
            #expect(answer.bytes.isEmpty)
            #expect(answer.ending == .inOrder)
        }
        #expect(server.requests.isEmpty)
    }

    @Test("asks a client for the body where it waits for that")
    func expectContinue() async throws {
        let server = try LoopbackServer(replies: [.response(.text("ok"))])
        let (invitation, answer) = try await onThread {
            let client = try RawClient(port: server.port)
            client.transmit("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n")
            let invitation = client.receive(until: "\r\n\r\n")
            client.transmit("body")
            return (invitation, client.receive())
        }
        #expect(invitation.text == "HTTP/1.1 100 Continue\r\n\r\n")
        #expect(answer.body == "ok")
        #expect(server.requests.first?.body == Array("body".utf8))
    }

    @Test("gets its answer to a client that sends more than was asked for")
    func surplusBytes() async throws {
        let server = try LoopbackServer(replies: [.response(.text("ok"))])
        // More than the system's buffers hold, so that the server must really take it.
        let surplus = String(repeating: "y", count: 30_000_000)
        let (isSent, answer) = try await onThread {
            let client = try RawClient(port: server.port)
            let isSent = client.transmit("GET / HTTP/1.1\r\n\r\n" + surplus)
            return (isSent, client.receive())
        }
        #expect(isSent)
        #expect(answer.body == "ok")
        #expect(answer.ending == .inOrder)
    }
}
