import Foundation
import TacklineCore
import TacklineLoopback
import TacklineMemory
import TacklineRemoteJSON
import TacklineTestSupport
import Testing

@Suite("Faults of bodies and statuses", .overEachTransport, .hangLimit) struct BodyFaultTests {
    private let json = LoopbackHeader("Content-Type", "application/json")

    @Test("1: a body cut short of its Content-Length fails and keeps the values, even a whole object")
    func truncatedByLength() async throws {
        for body in [#"{"a": 2"#, #"{"a": 2}"#] {
            let script: [LoopbackStep] = [
                .head(status: 200, headers: [json, LoopbackHeader("Content-Length", "100")]), .text(body), .close,
            ]
            try await expectKept(.script(script), code: .network)
        }
    }

    @Test("1: a chunked body without its last chunk fails and keeps the values")
    func truncatedByChunk() async throws {
        let script: [LoopbackStep] = [
            .head(status: 200, headers: [json, LoopbackHeader("Transfer-Encoding", "chunked")]),
            .chunk(#"{"a": 2}"#), .close,
        ]
        try await expectKept(.script(script), code: .network)
    }

    @Test("1: a length that is too small, negative or no number, and a chunk without end, bring no document")
    func lies() async throws {
        let cases: [String] = ["Content-Length: 7", "Content-Length: -8", "Content-Length: eight", "chunk"]
        for kind in cases {
            let field = kind == "chunk" ? "Transfer-Encoding: chunked" : kind
            let body = kind == "chunk" ? "FFFFFFFFFFFFFFFFF\r\n{\"a\": 2}" : "{\"a\": 2}"
            let script: [LoopbackStep] = [
                .text("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\(field)\r\n\r\n\(body)"), .close,
            ]
            try await expectKept(.script(script), codes: [.network, .rejected])
        }
    }

    @Test("2: a body without a length that ends early is rejected by the parser")
    func truncatedWithoutLength() async throws {
        let script: [LoopbackStep] = [
            .head(status: 200, headers: [json, LoopbackHeader("Connection", "close")]), .text(#"{"a": 2"#), .close,
        ]
        try await expectKept(.script(script), code: .rejected)
    }

    @Test("3: an empty 200, a 201, a 204 and a 206 are rejected")
    func emptyOrOtherSuccess() async throws {
        let cases: [Int] = [200, 201, 204, 206]
        for code in cases {
            try await expectKept(status(code, [json], body: code == 200 ? "" : #"{"a": 2}"#), code: .rejected)
        }
    }

    @Test("4: a 500 with valid JSON is not taken")
    func serverErrorWithJSON() async throws {
        try await expectKept(status(500, [json], body: #"{"a": 2}"#), code: .network)
    }

    @Test("5: the page of a captive portal is rejected, whatever type it claims")
    func captivePortal() async throws {
        for type in ["text/html", "application/json"] {
            try await expectKept(document("\n <!doctype html><title>Log in</title>", type: type), code: .rejected)
        }
    }

    @Test("5: JSON that calls itself HTML is JSON")
    func htmlType() async throws {
        let server = try LoopbackServer(replies: [document(#"{"a": 2}"#, type: "text/html; charset=utf-8")])
        let provider = RemoteJSONProvider(url: server.url, configuration: .forTests())
        #expect(try await provider.refresh() == .changed(["a"]))
    }

    @Test("6: JSON as text/plain is accepted, with one warning for all of them")
    func plainText() async throws {
        let lines = Lines()
        let server = try LoopbackServer(replies: [
            document(#"{"a": 1}"#, type: "text/plain", tag: nil), document(#"{"a": 2}"#, type: "text/plain", tag: nil),
        ])
        let provider = RemoteJSONProvider(url: server.url, configuration: .forTests { $0.log = lines.append })
        #expect(try await provider.refresh() == .changed(["a"]))
        #expect(try await provider.refresh() == .changed(["a"]))
        #expect(lines.all.filter { $0.contains("came as text/plain") }.count == 1)
    }

    @Test("15: a body over the limit is cut off, with a length or chunked")
    func hugeBody() async throws {
        for isChunked in [true, false] {
            let block = [UInt8](repeating: UInt8(ascii: " "), count: 64 << 10)
            let framing = isChunked ? ("Transfer-Encoding", "chunked") : ("Content-Length", String(100 << 20))
            let script: [LoopbackStep] = [
                .head(status: 200, headers: [json, LoopbackHeader(framing.0, framing.1)]),
                isChunked ? .repeatChunk(block, count: 1600) : .repeatBytes(block, count: 1600),
            ]
            let error = try await expectKept(.script(script), code: .network)
            #expect(error?.message.contains("the limit of maximumBodyBytes") == true)
        }
    }

    @Test("16: broken gzip fails and keeps the values")
    func brokenGzip() async throws {
        let headers = [json, LoopbackHeader("Content-Encoding", "gzip"), LoopbackHeader("Content-Length", "20")]
        let body: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + [UInt8](repeating: 0xFF, count: 10)
        try await expectKept(.script([.head(status: 200, headers: headers), .bytes(body)]), code: .network)
    }

    @Test("16: a compressed document is decoded")
    func gzip() async throws {
        let headers = [json, LoopbackHeader("Content-Encoding", "gzip"), LoopbackHeader("Connection", "close")]
        let body = Array(storedGzip(Data(#"{"a": 2}"#.utf8)))
        let server = try LoopbackServer(replies: [
            .script([.head(status: 200, headers: headers), .bytes(body), .close])
        ])
        let provider = RemoteJSONProvider(url: server.url, configuration: .forTests())
        #expect(try await provider.refresh() == .changed(["a"]))
    }

    @Test("16: a gzip file of two members is called what it is")
    func twoMembers() async throws {
        let member = storedGzip(Data(#"{"a": 2}"#.utf8))
        let headers = [json, LoopbackHeader("Content-Encoding", "gzip"), LoopbackHeader("Connection", "close")]
        let body = Array(member + member)
        let error = try await expectKept(
            .script([.head(status: 200, headers: headers), .bytes(body), .close]), codes: [.network, .rejected])
        #expect(error?.message.contains("disk") == false, "\(String(describing: error))")
    }

    @Test("39: early hints before the answer do no harm")
    func earlyHints() async throws {
        let body = #"{"a": 7}"#
        let script: [LoopbackStep] = [
            .head(status: 103, headers: [LoopbackHeader("Link", "</style.css>; rel=preload")]),
            .head(status: 200, headers: [json, LoopbackHeader("Content-Length", "\(body.utf8.count)")]), .text(body),
        ]
        let server = try LoopbackServer(replies: [.script(script)])
        let provider = RemoteJSONProvider(url: server.url, configuration: .forTests())
        #expect(try await provider.refresh() == .changed(["a"]))
        #expect(provider.value(for: "a") == .integer(7))
    }

    @Test("40: what is not HTTP fails")
    func garbage() async throws {
        let noise = [UInt8](repeating: 0x07, count: 4000) + Array("\r\n\r\n".utf8)
        try await expectKept(.script([.bytes(noise), .close]), code: .network)
    }

    @Test("40: ten megabytes of one header line are cut off")
    func endlessHeader() async throws {
        let block = [UInt8](repeating: UInt8(ascii: "x"), count: 64 << 10)
        let script: [LoopbackStep] = [.text("HTTP/1.1 200 OK\r\nX-Noise: "), .repeatBytes(block, count: 160), .reset]
        let error = try await expectKept(.script(script), code: .network)
        #expect(error?.message.contains("memory") == false, "\(String(describing: error))")
    }

    @Test("40: 400 KB of headers fail, in one field or in many")
    func hugeHeaders() async throws {
        for fields in [1, 400] {
            let value = String(repeating: "x", count: 400_000 / fields)
            let headers = (0..<fields).map { LoopbackHeader("X-Noise-\($0)", value) }
            let body = #"{"a": 2}"#
            let length = LoopbackHeader("Content-Length", "\(body.utf8.count)")
            let error = try await expectKept(
                .script([.head(status: 200, headers: headers + [json, length]), .text(body)]), code: .network)
            #expect(error?.message.contains("more than 64 KiB") == true, "\(String(describing: error))")
        }
    }
}
