import TacklineCore
import TacklineLoopback
import TacklineRemoteJSON
import TacklineTestSupport
import Testing

@Suite("Faults of validators", .overEachTransport, .hangLimit) struct ValidatorFaultTests {
    private func provider(_ server: LoopbackServer) -> RemoteJSONProvider {
        RemoteJSONProvider(url: server.url, configuration: .forTests())
    }

    @Test("19: a 304 that nobody asked for is followed by one request without conditions; a second one is a failure")
    func unaskedNotModified() async throws {
        for isStubborn in [false, true] {
            let server = try LoopbackServer(replies: [.response(.notModified())] + (isStubborn ? [] : [good(3)]))
            #expect(await provider(server).result() == (isStubborn ? .failure("network") : .success(.changed(["a"]))))
            #expect(server.requests.map { $0.headerValue("Cache-Control") } == [nil, "no-cache"])
        }
    }

    @Test("20: a 200 with the same body under another tag is unchanged, and the new tag is sent from then on")
    func sameBody() async throws {
        let server = try LoopbackServer(replies: [
            document(#"{"a": 1}"#, tag: "\"x\""), document(#"{"a": 1}"#, tag: "\"y\""), .response(.notModified()),
        ])
        let provider = provider(server)
        try await provider.refresh()
        #expect(try await provider.refresh() == .unchanged)
        #expect(try await provider.refresh() == .unchanged)
        #expect(server.requests.map { $0.headerValue("If-None-Match") } == [nil, "\"x\"", "\"y\""])
    }

    @Test("21: two tags are none, and the date of the last change is sent instead")
    func twoTags() async throws {
        let date = "Wed, 21 Oct 2015 07:28:00 GMT"
        let headers = [
            ("ETag", "\"1\""), ("ETag", "\"2\""), ("Last-Modified", date), ("Content-Type", "application/json"),
        ]
        let response = LoopbackResponse(
            status: 200,
            headers: headers.map { LoopbackHeader($0.0, $0.1) },
            body: Array(#"{"a": 1}"#.utf8)
        )
        let server = try LoopbackServer(replies: [.response(response), .response(.notModified())])
        let provider = provider(server)
        try await provider.refresh()
        #expect(try await provider.refresh() == .unchanged)
        #expect(server.requests.last?.headerValue("If-None-Match") == nil)
        #expect(server.requests.last?.headerValue("If-Modified-Since") == date)
    }

    @Test("21: a weak tag and one without quotation marks are echoed as they came; what is not one tag is none")
    func bareTag() async throws {
        for (tag, isTag) in [("W/\"v1\"", true), ("5f3a-2b", true), ("W/5f3a", true), ("a,b", false), ("", false)] {
            let server = try LoopbackServer(replies: [document(#"{"a": 1}"#, tag: tag)])
            let provider = provider(server)
            try await provider.refresh()
            #expect(try await provider.refresh() == .unchanged)
            #expect(server.requests.last?.headerValue("If-None-Match") == (isTag ? tag : nil))
        }
    }

    @Test("22: after a bad 200 a 304 confirms the old values, whose tag was sent")
    func badThenNotModified() async throws {
        let server = try LoopbackServer { request in
            switch request.headerValue("If-None-Match") {
            case nil: good()
            case "\"1\"": document("{", tag: "\"2\"")
            default: .response(.notModified(etag: "\"2\""))
            }
        }
        let provider = provider(server)
        try await provider.refresh()
        for _ in 0..<3 {
            await #expect(throws: FlagError.self) { try await provider.refresh() }
        }
        #expect(provider.value(for: "a") == .integer(1))
        #expect(server.requests.dropFirst().allSatisfy { $0.headerValue("If-None-Match") == "\"1\"" })
    }
}
