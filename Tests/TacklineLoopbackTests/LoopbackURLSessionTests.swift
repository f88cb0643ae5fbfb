import Foundation
import TacklineLoopback
import TacklineTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("URLSession and a loopback server", .hangLimit)
struct LoopbackURLSessionTests {
    private let session: URLSession

    init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        session = URLSession(configuration: configuration)
    }

    private func ask(
        _ server: LoopbackServer,
        path: String = "/",
        method: String = "GET",
        headers: [String: String] = [:],
        body: Data? = nil
    ) async throws -> (response: HTTPURLResponse, text: String) {
        // No test waits for the timeout, and no slow machine meets it.
        var request = URLRequest(url: server.url(path: path), timeoutInterval: 24 * 3600)
        request.httpMethod = method
        request.httpBody = body
        for (name, value) in headers {
            request.setValue(value, forHTTPHeaderField: name)
        }
        let (data, response) = try await session.data(for: request)
        return (try #require(response as? HTTPURLResponse), String(decoding: data, as: UTF8.self))
    }

    @Test("exchange an ordinary GET")
    func get() async throws {
        let server = try LoopbackServer(replies: [.response(.json(#"{"a":true}"#, etag: #"W/"1""#))])
        let (response, text) = try await ask(server, path: "/flags.json", headers: ["X-Name": "value"])
        #expect(response.statusCode == 200)
        #expect(response.value(forHTTPHeaderField: "etag") == #"W/"1""#)
        #expect(text == #"{"a":true}"#)
        #expect(server.requests.first?.target == "/flags.json")
        #expect(server.requests.first?.headerValue("x-name") == "value")
    }

    @Test("exchange a HEAD, which has headers only")
    func head() async throws {
        let server = try LoopbackServer(replies: [.response(.text("hello"))])
        let (response, text) = try await ask(server, method: "HEAD")
        #expect(response.value(forHTTPHeaderField: "Content-Length") == "5")
        #expect(text.isEmpty)
    }

    @Test("exchange a POST with a body, small or large")
    func post() async throws {
        let cases: [Int] = [0, 1, 2_000_000]
        for size in cases {
            let server = try LoopbackServer(replies: [.response(.text("ok"))])
            let body = Data(repeating: 0x78, count: size)
            #expect(try await ask(server, method: "POST", body: body).text == "ok", "\(size)")
            #expect(server.requests.first?.method == "POST", "\(size)")
            #expect(server.requests.first?.body == Array(body), "\(size)")
        }
    }

    @Test("agree on ETag, 304 and a document that changes")
    func documents() async throws {
        let documents = LoopbackDocuments()
        documents.setDocument(path: "/flags.json", text: "one")
        let server = try LoopbackServer(documents: documents)
        let first = try await ask(server, path: "/flags.json")
        let tag = try #require(first.response.value(forHTTPHeaderField: "ETag"))
        #expect(first.text == "one")
        let second = try await ask(server, path: "/flags.json", headers: ["If-None-Match": tag])
        #expect(second.response.statusCode == 304)
        #expect(second.text.isEmpty)
        documents.setDocument(path: "/flags.json", text: "two")
        let third = try await ask(server, path: "/flags.json", headers: ["If-None-Match": tag])
        #expect(third.response.statusCode == 200)
        #expect(third.text == "two")
    }

    @Test("follow a relative redirect")
    func redirect() async throws {
        let server = try LoopbackServer(replies: [.response(.redirect(to: "/there")), .response(.text("arrived"))])
        #expect(try await ask(server).text == "arrived")
        #expect(server.requests.map(\.target) == ["/", "/there"])
    }

    @Test("accept 103 before 200")
    func earlyHints() async throws {
        let server = try LoopbackServer(replies: [
            .script([
                .head(status: 103, headers: [LoopbackHeader("Link", "</a>; rel=preload")]),
                .head(status: 200, headers: [LoopbackHeader("Content-Length", "2")]), .text("ok"),
            ])
        ])
        let (response, text) = try await ask(server)
        #expect(response.statusCode == 200)
        #expect(text == "ok")
    }

    @Test("exchange a chunked body in slow portions")
    func slowChunks() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer(replies: [
            .script([
                .head(status: 200, headers: [LoopbackHeader("Transfer-Encoding", "chunked")]),
                .chunk("one "), .waitUntil(gate), .chunk("two"), .lastChunk,
            ])
        ])
        async let answer = ask(server)
        try await server.waitForRequests(count: 1)
        gate.open()
        #expect(try await answer.text == "one two")
    }

    @Test("fail on a broken answer")
    func broken() async throws {
        for answer in BrokenAnswer.all {
            let server = try LoopbackServer(replies: [.script(answer.steps)])
            await #expect(throws: URLError.self) { try await ask(server) }
            #expect(!server.requests.isEmpty, "\(answer)")
        }
    }

    @Test("fail on a redirect that leads to itself")
    func redirectLoop() async throws {
        let server = try LoopbackServer(replies: [.response(.redirect(to: "/"))])
        await #expect(throws: URLError.self) { try await ask(server) }
        #expect(server.requests.count > 5)
    }

    @Test("end a request whose headers never come when its task is cancelled, and the server sees it")
    func cancelled() async throws {
        let gone = LoopbackGate()
        let server = try LoopbackServer(replies: [.script([.waitForClientToClose, .open(gone)])])
        let task = Task { try await ask(server) }
        try await server.waitForRequests(count: 1)
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
        try await gone.wait()
        #expect(gone.isOpen)
    }

    @Test("end a request that stalls when the server is stopped")
    func stopped() async throws {
        let server = try LoopbackServer(replies: [
            .script([
                .head(status: 200, headers: [LoopbackHeader("Content-Length", "10")]), .text("12345"),
                .waitUntil(LoopbackGate()),
            ])
        ])
        let task = Task { try await ask(server) }
        try await server.waitForRequests(count: 1)
        server.stop()
        await #expect(throws: URLError.self) { try await task.value }
    }

    @Test("exchange 50 requests at the same time")
    func concurrent() async throws {
        let server = try LoopbackServer { request in .response(.text(request.path)) }
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<50 {
                group.addTask { try await ask(server, path: "/\(number)").text }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(texts == Set((0..<50).map { "/\($0)" }))
        #expect(server.requests.count == 50)
    }
}
