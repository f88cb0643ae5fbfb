import TacklineLoopback
import TacklineTestSupport
import Testing

@Suite("Loopback documents", .hangLimit)
struct LoopbackDocumentsTests {
    private func reply(
        _ documents: LoopbackDocuments,
        method: String = "GET",
        target: String = "/flags.json",
        ifNoneMatch: String? = nil
    ) throws -> LoopbackResponse {
        let headers = ifNoneMatch.map { [LoopbackHeader("if-none-match", $0)] } ?? []
        let reply = documents.reply(to: LoopbackRequest(method: method, target: target, headers: headers))
        guard case .response(let response) = reply else {
            throw UnexpectedScript()
        }
        return response
    }

    private struct UnexpectedScript: Error {}

    private func etag(_ response: LoopbackResponse) throws -> String {
        try #require(response.headers.first { $0.matches("ETag") }?.value)
    }

    @Test("are served under their path, whatever the query")
    func served() throws {
        let documents = LoopbackDocuments()
        documents.setDocument(path: "/flags.json", text: "{}")
        for target in ["/flags.json", "/flags.json?x=/other"] {
            let response = try reply(documents, target: target)
            #expect(response.status == 200)
            #expect(response.body == Array("{}".utf8))
            #expect(response.headers.first { $0.matches("Content-Type") }?.value == "application/json")
        }
        #expect(try reply(documents, target: "/other").status == 404)
        #expect(try reply(documents, method: "POST").status == 405)
    }

    @Test("have a tag that depends on the content alone")
    func tags() throws {
        let documents = LoopbackDocuments()
        documents.setDocument(path: "/flags.json", text: "foobar")
        // The published check value of FNV-1a 64 for "foobar".
        #expect(try etag(reply(documents)) == #""85944171f73967e8""#)
        documents.setDocument(path: "/flags.json", text: "foobaz")
        let changed = try etag(reply(documents))
        #expect(changed != #""85944171f73967e8""#)
        documents.setDocument(path: "/flags.json", text: "foobar", contentType: "text/plain")
        #expect(try etag(reply(documents)) == #""85944171f73967e8""#)
    }

    @Test("answer 304 to every form of their tag and 200 to any other")
    func conditional() throws {
        let documents = LoopbackDocuments()
        documents.setDocument(path: "/flags.json", text: "{}")
        let tag = try etag(reply(documents))
        for matching in [tag, "W/\(tag)", "*", #""x", \#(tag)"#, "\(tag) ,\t\"x\""] {
            let response = try reply(documents, ifNoneMatch: matching)
            #expect(response.status == 304, "\(matching)")
            #expect(try etag(response) == tag)
        }
        for other in ["", "\"\"", #""x""#, String(tag.dropFirst()), "W/", "w/\(tag)", ","] {
            #expect(try reply(documents, ifNoneMatch: other).status == 200, "\(other)")
        }
    }

    @Test("change and disappear while the server runs")
    func change() async throws {
        let documents = LoopbackDocuments()
        let server = try LoopbackServer(documents: documents)
        #expect(try await RawClient.ask(port: server.port).statusLine == "HTTP/1.1 404 Not Found")
        documents.setDocument(path: "/", text: "one")
        #expect(try await RawClient.ask(port: server.port).body == "one")
        documents.setDocument(path: "/", text: "two")
        #expect(try await RawClient.ask(port: server.port).body == "two")
        documents.removeDocument(path: "/")
        #expect(try await RawClient.ask(port: server.port).statusLine == "HTTP/1.1 404 Not Found")
    }

    @Test("are always answered whole while another thread changes them")
    func changeConcurrently() async throws {
        let documents = LoopbackDocuments()
        let bodies = (0..<5).map { String(repeating: String($0), count: 5_000) }
        documents.setDocument(path: "/", text: bodies[0])
        let server = try LoopbackServer(documents: documents)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for round in 0..<500 {
                    documents.setDocument(path: "/", text: bodies[round % bodies.count])
                }
            }
            for _ in 0..<20 {
                group.addTask {
                    let body = try await RawClient.ask(port: server.port).body
                    #expect(bodies.contains(body))
                }
            }
            try await group.waitForAll()
        }
    }
}
