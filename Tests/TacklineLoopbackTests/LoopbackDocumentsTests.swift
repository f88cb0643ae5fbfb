import TacklineLoopback
import TacklineTestSupport
import Testing

@Suite("Loopback documents", .hangLimit)
struct LoopbackDocumentsTests {
    private let documents = LoopbackDocuments()

    private func ask(_ server: LoopbackServer, target: String, tag: String = "") async throws -> RawClient.Answer {
        try await RawClient.exchange(port: server.port, "GET \(target) HTTP/1.1\r\nIf-None-Match: \(tag)\r\n\r\n")
    }

    @Test("are served under their path, whatever the query, and change while the server runs")
    func served() async throws {
        let server = try LoopbackServer(documents: documents)
        #expect(try await ask(server, target: "/flags.json").statusLine == "HTTP/1.1 404 Not Found")
        for text in ["one", "two"] {
            documents.setDocument(path: "/flags.json", text: text)
            let answer = try await ask(server, target: "/flags.json?x=/other")
            #expect(answer.body == text)
            #expect(answer.text.contains("\r\nContent-Type: application/json\r\n"))
        }
        #expect(try await ask(server, target: "/other").statusLine == "HTTP/1.1 404 Not Found")
    }

    @Test("answer 304 to their tag, which depends on the content alone, and 200 to any other")
    func conditional() async throws {
        documents.setDocument(path: "/", text: "foobar")
        let server = try LoopbackServer(documents: documents)
        // The published check value of FNV-1a 64 for "foobar".
        let tag = #""85944171f73967e8""#
        let answer = try await ask(server, target: "/", tag: tag)
        #expect(answer.statusLine == "HTTP/1.1 304 Not Modified")
        #expect(answer.text.contains("\r\nETag: \(tag)\r\n"))
        #expect(try await ask(server, target: "/", tag: "\"x\"").body == "foobar")
        documents.setDocument(path: "/", text: "foobaz")
        #expect(try await ask(server, target: "/", tag: tag).body == "foobaz")
    }
}
