import TacklineLoopback
import TacklineTestSupport
import Testing

@Suite("A loopback server", .hangLimit)
struct LoopbackServerTests {
    @Test("sends a response with its length and closes the connection in good order")
    func ordinaryResponse() async throws {
        let server = try LoopbackServer(replies: [.response(.json(#"{"a":1}"#, etag: #""v1""#))])
        let answer = try await RawClient.ask(port: server.port)
        #expect(answer.ending == .inOrder)
        let expected = [
            "HTTP/1.1 200 OK", "Content-Type: application/json", #"ETag: "v1""#, "Content-Length: 7",
            "Connection: close", "", #"{"a":1}"#,
        ]
        #expect(answer.text == expected.joined(separator: "\r\n"))
    }

    @Test("sends neither body nor length with 204 and 304")
    func statusWithoutBody() async throws {
        for status in [204, 304] {
            let server = try LoopbackServer(replies: [.response(.text("not to be sent", status: status))])
            let answer = try await RawClient.ask(port: server.port)
            #expect(answer.statusLine.hasPrefix("HTTP/1.1 \(status) "))
            #expect(!answer.text.contains("Content-Length"))
            #expect(answer.body.isEmpty)
        }
    }

    @Test("does not send header fields that contradict its own")
    func contradictingFields() async throws {
        let headers = [
            LoopbackHeader("content-length", "99"), LoopbackHeader("Transfer-Encoding", "chunked"),
            LoopbackHeader("X-Kept", "yes"), LoopbackHeader("connection", "keep-alive"),
        ]
        let server = try LoopbackServer(replies: [.response(LoopbackResponse(status: 200, headers: headers))])
        let answer = try await RawClient.ask(port: server.port)
        #expect(answer.text == "HTTP/1.1 200 OK\r\nX-Kept: yes\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    }

    @Test("records method, target, headers in order and body")
    func recordsRequests() async throws {
        let server = try LoopbackServer(replies: [.response(.text("ok"))])
        let text =
            "PUT /a%20b?c=d HTTP/1.1\r\nHost: h\r\nX-Two: 1 \r\nx-two:\t2\r\nContent-Length: 4\r\n\r\nbody"
        _ = try await RawClient.exchange(port: server.port, text)
        let request = try #require(server.requests.first)
        #expect(server.requests.count == 1)
        #expect(request.method == "PUT")
        #expect(request.target == "/a%20b?c=d")
        #expect(request.path == "/a%20b")
        #expect(request.headers.map(\.name) == ["Host", "X-Two", "x-two", "Content-Length"])
        #expect(request.headers.map(\.value) == ["h", "1", "2", "4"])
        #expect(request.headerValue("X-TWO") == "1")
        #expect(request.headerValue("X-Three") == nil)
        #expect(request.body == Array("body".utf8))
    }

    @Test("gives its replies in order and then repeats the last")
    func repliesInOrder() async throws {
        let server = try LoopbackServer(replies: [.response(.text("first")), .response(.text("last"))])
        var bodies: [String] = []
        for _ in 0..<4 {
            bodies.append(try await RawClient.ask(port: server.port).body)
        }
        #expect(bodies == ["first", "last", "last", "last"])
    }

    @Test("lets a test wait for requests that have not come yet")
    func waitsForRequests() async throws {
        let server = try LoopbackServer(replies: [.response(.text("ok"))])
        async let waiting = server.waitForRequests(count: 3)
        for _ in 0..<3 {
            _ = try await RawClient.ask(port: server.port)
        }
        #expect(try await waiting.count == 3)
        #expect(try await server.waitForRequests(count: 2).count == 3)
    }

    @Test("ends a wait for requests when the task is cancelled")
    func cancelledWait() async throws {
        let server = try LoopbackServer(replies: [])
        let waiting = Task { try await server.waitForRequests(count: 1) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test("serves 50 clients at the same time")
    func manyClients() async throws {
        // No client gets an answer before all fifty have asked, so they must really be served side by side.
        let gate = LoopbackGate()
        let server = try LoopbackServer { request in
            .script([.waitUntil(gate), .text("HTTP/1.1 200 OK\r\n\r\n\(request.target)")])
        }
        let bodies = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<50 {
                group.addTask {
                    try await RawClient.exchange(port: server.port, "GET /\(number) HTTP/1.1\r\n\r\n").body
                }
            }
            try await server.waitForRequests(count: 50)
            gate.open()
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(bodies == Set((0..<50).map { "/\($0)" }))
    }
}
