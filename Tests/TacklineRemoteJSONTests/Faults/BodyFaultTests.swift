import Foundation
import TacklineCore
import TacklineLoopback
import TacklineMemory
import TacklineRemoteJSON
import TacklineTestSupport
import Testing

@Suite("Faults of bodies and statuses", .overEachTransport, .hangLimit) struct BodyFaultTests {
    private let json = LoopbackHeader("Content-Type", "application/json")

    @Test("1 to 5, 16 and 40: what is no whole document of status 200 fails or is rejected, and the values stay")
    func noDocument() async throws {
        let whole = #"{"a": 2}"#
        func length(_ text: String) -> LoopbackStep {
            .head(status: 200, headers: [json, LoopbackHeader("Content-Length", text)])
        }
        func raw(_ field: String, _ body: String) -> LoopbackStep {
            .text("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\(field)\r\n\r\n\(body)")
        }
        let chunked = LoopbackStep.head(status: 200, headers: [json, LoopbackHeader("Transfer-Encoding", "chunked")])
        let gzip = LoopbackStep.head(
            status: 200,
            headers: [json, LoopbackHeader("Content-Encoding", "gzip"), LoopbackHeader("Content-Length", "20")])
        let brokenGzip: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + [UInt8](repeating: 0xFF, count: 10)
        let close = LoopbackStep.head(status: 200, headers: [json, LoopbackHeader("Connection", "close")])
        let noise = [UInt8](repeating: 0x07, count: 4000) + Array("\r\n\r\n".utf8)
        let cases: [(LoopbackReply, [FlagError.Code])] = [
            // Bodies that are shorter than announced, even if they are whole objects.
            (.script([length("100"), .text(#"{"a": 2"#), .close]), [.network]),
            (.script([length("100"), .text(whole), .close]), [.network]),
            (.script([chunked, .chunk(whole), .close]), [.network]),
            (.script([close, .text(#"{"a": 2"#), .close]), [.rejected]),
            // Lengths that are lies.
            (.script([raw("Content-Length: 7", whole), .close]), [.network, .rejected]),
            (.script([raw("Content-Length: -8", whole), .close]), [.network, .rejected]),
            (.script([raw("Content-Length: eight", whole), .close]), [.network, .rejected]),
            (
                .script([raw("Transfer-Encoding: chunked", "FFFFFFFFFFFFFFFFF\r\n\(whole)"), .close]),
                [.network, .rejected]
            ),
            // Other statuses, and nothing.
            (status(200, [json]), [.rejected]), (status(201, [json], body: whole), [.rejected]),
            (status(204, [json]), [.rejected]), (status(206, [json], body: whole), [.rejected]),
            (status(500, [json], body: whole), [.network]),
            // The page of a captive portal, whatever type it claims.
            (document("\n <!doctype html><title>Log in</title>", type: "text/html"), [.rejected]),
            (document("\n <!doctype html><title>Log in</title>"), [.rejected]),
            // No gzip, and no HTTP.
            (.script([gzip, .bytes(brokenGzip)]), [.network]), (.script([.bytes(noise), .close]), [.network]),
        ]
        for (index, (reply, codes)) in cases.enumerated() {
            let error = try await expectKept(reply, codes: codes)
            #expect(error != nil, "case \(index)")
        }
    }

    @Test("5 and 6: JSON that calls itself something else is JSON")
    func otherType() async throws {
        for type in ["text/html; charset=utf-8", "text/plain"] {
            let server = try LoopbackServer(replies: [document(#"{"a": 2}"#, type: type)])
            let provider = RemoteJSONProvider(url: server.url, configuration: .forTests())
            #expect(try await provider.refresh() == .changed(["a"]))
        }
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
            let error = try await expectKept(.script(script), codes: [.network])
            #expect(error?.message.contains("the limit of maximumBodyBytes") == true)
        }
    }

    @Test("a document that comes in portions of one byte is read to its end")
    func singleBytes() async throws {
        let head = LoopbackStep.head(status: 200, headers: [json, LoopbackHeader("Transfer-Encoding", "chunked")])
        let steps = [head, .chunk("{\"a\": \""), .repeatChunk([0x78], count: 200_000), .chunk("\"}"), .chunk("")]
        let server = try LoopbackServer(replies: [.script(steps)])
        let provider = RemoteJSONProvider(url: server.url, configuration: .forTests())
        #expect(try await provider.refresh() == .changed(["a"]))
    }

    @Test("a refusal counts, whatever its body: one over the limit hides no Retry-After")
    func hugeRefusal() async throws {
        let body = String(repeating: "x", count: 2 << 20)
        let server = try LoopbackServer(replies: [status(429, [LoopbackHeader("Retry-After", "60")], body: body)])
        let provider = RemoteJSONProvider(url: server.url, configuration: .forTests())
        #expect(await provider.result() == .failure("network"))
        #expect(await provider.result() == .failure("throttled"))
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

    @Test("40: ten megabytes of one header line are cut off")
    func endlessHeader() async throws {
        let block = [UInt8](repeating: UInt8(ascii: "x"), count: 64 << 10)
        let script: [LoopbackStep] = [.text("HTTP/1.1 200 OK\r\nX-Noise: "), .repeatBytes(block, count: 160), .reset]
        let error = try await expectKept(.script(script), codes: [.network])
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
                .script([.head(status: 200, headers: headers + [json, length]), .text(body)]), codes: [.network])
            #expect(error?.message.contains("header") == true, "\(String(describing: error))")
        }
    }
}
