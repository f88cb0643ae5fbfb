import Foundation
import TacklineCore
import TacklineLoopback
import TacklineMemory
import TacklineTestSupport
import Testing

@testable import TacklineRemoteJSON

@Suite("Faults of documents", .overEachTransport, .hangLimit) struct DocumentFaultTests {
    @Test("8: duplicate keys are rejected with their path, at the top and where they leave no value")
    func duplicateKeys() async throws {
        let top = try await expectKept(document(#"{"a": 1, "a": 2}"#), codes: [.rejected])
        #expect(top?.message.contains("at \"a\"") == true)
        let inner = try await expectKept(document(#"{"g": [{"h": {"x": 1, "x": 1}}]}"#), codes: [.rejected])
        #expect(inner?.message.contains("g/0/h/x") == true)
    }

    @Test("7, 10, 12, 14 and 23: what is no JSON object in UTF-8 is rejected as a whole")
    func noObject() async throws {
        let texts: [String] = [
            "[1]", "\"a\"", "1", "null", "true", #"{"a": 2,}"#, #"{"a": 2} // c"#, #"{"a": 2 /* c */}"#, #"{"a": 2}}"#,
            #"{"a": 2} {"#, "{\"a\": 2}\u{0}", "{\"\(String(repeating: "k", count: 1025))\": 1}",
        ]
        let values: [String] = [
            "NaN", "Infinity", "1e400", "-1e999", #""\ud800""#, #""x\udfff""#, #"[1, {"x": 1, "x": 2}]"#,
            "170141183460469231731687303715884105728", #"{"\ud800": 1}"#, #""\ud8""#,
        ]
        let utf16 = #"{"a": "x"}"#.utf16
        let little = utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big = utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let invalid: [[UInt8]] = [[0xE9], [0xED, 0xA0, 0x80]].map { Array(#"{"a": ""#.utf8) + $0 + Array(#""}"#.utf8) }
        let encoded = [little, big, [0xFF, 0xFE] + little, [0xFE, 0xFF] + big] + invalid
        for bytes in texts.map({ Array($0.utf8) }) + encoded {
            try await expectKept(document(bytes), codes: [.rejected])
        }
        for value in values {
            let error = try await expectKept(document(#"{"good": 2, "bad": \#(value)}"#), codes: [.rejected])
            #expect(error?.message.contains("line 1, column ") == true, "\(value)")
        }
    }

    @Test("a rejected document is reported once, until there is a good one")
    func reported() async throws {
        let server = try LoopbackServer(replies: [good(), document("{"), document("{"), good(2), document("{")])
        let issues = IssueRecorder()
        let provider = FlagIssueReporter.withReporter(issues.reporter) {
            RemoteJSONProvider(url: server.url, configuration: .forTests())
        }
        for _ in 1...3 { _ = try? await provider.refresh() }
        #expect(issues.codes == [.init("rejected-document")])
        for _ in 1...2 { _ = try? await provider.refresh() }
        #expect(issues.codes == [.init("rejected-document"), .init("rejected-document")])
    }

    private struct Flags: FlagCollectionProtocol {
        @Flag(default: 1, description: "A narrow integer") var narrow: UInt8
        @Flag(default: "default", description: "A text") var text: String
        @Flag(default: 0, description: "An integer") var fine: Int
    }

    @Test("11: a value out of range or of a wrong type concerns that flag only, and the next provider answers")
    func unusableValues() async throws {
        let server = try LoopbackServer(replies: [document(#"{"narrow": 300, "text": 5, "fine": 3}"#)])
        let remote = RemoteJSONProvider(url: server.url, configuration: .forTests())
        let next = MemoryProvider(values: ["narrow": 7, "text": "next", "fine": 9])
        let loader = FlagsLoader(Flags.self, providers: [remote, next])
        try await remote.refresh()
        #expect(loader.narrow == 7)
        #expect(loader.text == "next")
        #expect(loader.fine == 3)
    }

    @Test(
        "13: a document as deep as allowed is accepted, a deeper one is not, and of a million brackets no more is read"
    )
    func depth() async throws {
        let depth = EncodedFlagValue.maximumDepth
        func nested(_ levels: Int) -> String {
            #"{"a": "# + String(repeating: "[", count: levels - 1) + String(repeating: "]", count: levels - 1) + "}"
        }
        let server = try LoopbackServer(replies: [document(nested(depth))])
        let provider = RemoteJSONProvider(url: server.url, configuration: .forTests())
        #expect(try await provider.refresh() == .changed(["a"]))
        try await expectKept(document(nested(depth + 1)), codes: [.rejected])
        let brackets = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
        let error = try await expectKept(document(Array(#"{"a":"#.utf8) + brackets), codes: [.rejected])
        #expect(error?.message.contains("line 1, column \(depth + 5)") == true, "\(String(describing: error))")
    }

    @Test("23: a byte order mark is stripped")
    func byteOrderMark() async throws {
        let server = try LoopbackServer(replies: [document([0xEF, 0xBB, 0xBF] + Array(#"{"a": 4}"#.utf8))])
        let provider = RemoteJSONProvider(url: server.url, configuration: .forTests())
        try await provider.refresh()
        #expect(provider.value(for: "a") == .integer(4))
    }

    @Test("24: a key removed on the server is told, and the next provider answers")
    func removedKey() async throws {
        let server = try LoopbackServer(replies: [
            document(#"{"fine": 3, "x": 1}"#, tag: nil), document(#"{"x": 1}"#, tag: nil),
        ])
        let remote = RemoteJSONProvider(url: server.url, configuration: .forTests())
        let loader = FlagsLoader(Flags.self, providers: [remote, MemoryProvider(values: ["fine": 9])])
        try await remote.refresh()
        #expect(loader.fine == 3)
        #expect(try await remote.refresh() == .changed(["fine"]))
        #expect(loader.fine == 9)
    }

    /// Settings that want one signature, and read what follows the first byte of a document.
    private func verifying(
        _ good: String, cache: RemoteJSONProvider.Cache = .disabled
    ) -> RemoteJSONProvider.Configuration {
        struct Forged: Error {}
        let answer = HTTPTransportResponse(json: #"!{"a": 2}"#, headers: ["X-Signature": "own"])
        return .forTests {
            ($0.cache, $0.signatureField, $0.transport) = (cache, "X-Signature", StubTransport { _ in answer })
            $0.verify = { body, signature in if signature == good { body.dropFirst() } else { throw Forged() } }
        }
    }

    @Test("38: what the verifier refuses is rejected, and what it returns is the document")
    func verifier() async throws {
        let url = try #require(URL(string: "https://flags.example/"))
        let error = await RemoteJSONProvider(url: url, configuration: verifying("other")).failure()
        #expect(error?.code == .rejected && error?.message.contains("verify refused it: Forged") == true)
        #expect(try await RemoteJSONProvider(url: url, configuration: verifying("own")).refresh() == .changed(["a"]))
    }

    @Test("38: the verifier gets the document of the cache, too, with its signature")
    func verifiedCache() async throws {
        let (folder, url) = (try TemporaryFolder(), try #require(URL(string: "https://flags.example/")))
        func provider(_ signature: String) -> RemoteJSONProvider {
            RemoteJSONProvider(url: url, configuration: verifying(signature, cache: .directory(folder.url)))
        }
        try await provider("own").refresh()
        #expect(provider("own").value(for: "a") == 2 && provider("other").value(for: "a") == nil)
    }

    @Test("an error of the system, which knows the URL and its token, is told without them")
    func secrets() async throws {
        @Sendable func fail<T>() throws -> T { throw NSError(domain: "Net", code: -7, userInfo: ["URL": "s3cret"]) }
        for place in ["transport", "authorization", "verify"] {
            let provider = RemoteJSONProvider(
                url: try #require(URL(string: "https://flags.example/")),
                configuration: .forTests {
                    $0.transport = StubTransport { _ in try place == "verify" ? .init(json: "{}") : fail() }
                    if place == "authorization" { $0.authorization = { try fail() } }
                    if place == "verify" { $0.verify = { _, _ in try fail() } }
                })
            let text = "\(String(describing: await provider.failure())) \(provider.state)"
            #expect(text.contains("Net -7") && !text.contains("s3cret"), "\(text)")
        }
    }

    @Test("38: a version that goes back is rejected; the same and a later one are not")
    func versions() async throws {
        let texts = [5, 4, 5, 6].map { #"{"$version": \#($0), "a": \#($0)}"# }
        let server = try LoopbackServer(replies: texts.map { document($0, tag: nil) })
        let provider = RemoteJSONProvider(url: server.url, configuration: .forTests())
        #expect(try await provider.refresh() == .changed(["a"]))
        await #expect(throws: FlagError.self) { try await provider.refresh() }
        #expect(provider.value(for: "a") == .integer(5))
        #expect(try await provider.refresh() == .unchanged)
        #expect(try await provider.refresh() == .changed(["a"]))
        #expect(provider.value(for: "$version") == nil)
    }

    @Test("38: a document whose time is over is rejected")
    func expired() async throws {
        for text in ["2001-01-01T00:00:00Z", "yesterday"] {
            try await expectKept(document(#"{"$expires": "\#(text)", "a": 2}"#), codes: [.rejected])
        }
    }

    @Test("50: what a server says in place of a document is refused, and what withdraws all values has a version")
    func noDocument() async throws {
        for text in [
            "{}", #"{"error": "Rate limited"}"#, #"{"message": "no", "status": 429}"#,
            #"{"$expires": "2100-01-01T00:00:00Z"}"#,
        ] {
            try await expectKept(document(text), codes: [.rejected])
        }
        let server = try LoopbackServer(replies: [
            document(#"{"$version": 2, "a": 2}"#), document(#"{"captive": true}"#), document(#"{"b": 1}"#),
            document(#"{"$version": 3}"#),
        ])
        let issues = IssueRecorder()
        let provider = FlagIssueReporter.withReporter(issues.reporter) {
            RemoteJSONProvider(url: server.url, configuration: .forTests())
        }
        try await provider.refresh()
        for _ in 1...2 {
            #expect(await provider.failure()?.message.contains("has no $version, and the last one had 2") == true)
        }
        #expect(provider.value(for: "a") == 2)
        #expect(issues.codes == ["rejected-document"])
        #expect(try await provider.refresh() == .changed(["a"]))
        #expect(provider.document?.root.isEmpty == true)
    }

    @Test("47: definitions with rules are no values, and the message names the format")
    func definitions() async throws {
        let text = #"{"flags": {"a": {"state": "ENABLED", "variants": {"on": true}, "defaultVariant": "on"}}}"#
        #expect(try await expectKept(document(text), codes: [.rejected])?.message.contains("format: .flagd") == true)
    }

    // firebase/firebase-ios-sdk#5506
    @Test("an answer with the tag of the last one and another body is taken: the body decides")
    func sameTag() async throws {
        let server = try LoopbackServer(replies: [
            document(#"{"a": 1}"#, tag: "W/\"1\""), document(#"{"a": 2}"#, tag: "W/\"1\""),
        ])
        let provider = RemoteJSONProvider(url: server.url, configuration: .forTests())
        try await provider.refresh()
        #expect(try await provider.refresh() == .changed(["a"]))
        #expect(provider.value(for: "a") == 2)
    }

    @Test("its fingerprint is that of the content and the subject, whatever its version and form")
    func fingerprint() async throws {
        func fingerprint(_ text: String, subject: String? = nil) async throws -> UInt64? {
            let configuration = RemoteJSONProvider.Configuration.forTests {
                $0.transport = StubTransport { _ in HTTPTransportResponse(json: text) }
            }
            let url = try #require(URL(string: "https://flags.example/"))
            let provider = RemoteJSONProvider(url: url, subject: subject, configuration: configuration)
            #expect(provider.fingerprint == nil)
            try await provider.refresh()
            return provider.fingerprint
        }
        let first = try await fingerprint(#"{"$version": 1, "a": 1, "b": [true]}"#)
        #expect(first != nil)
        #expect(try await fingerprint(#"{"b": [true], "a" : 1, "$version": 2}"#) == first)
        #expect(try await fingerprint(#"{"$version": 1, "a": 2, "b": [true]}"#) != first)
        #expect(try await fingerprint(#"{"$version": 1, "a": 1, "b": [true]}"#, subject: "ada") != first)
    }
}
