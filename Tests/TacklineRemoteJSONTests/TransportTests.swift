import Synchronization
import TacklineCore
import TacklineLoopback
import TacklineTestSupport
import Testing

@testable import TacklineRemoteJSON

@Suite("Transports", .hangLimit) struct TransportTests {
    @Test(
        "A header that is too large is called so, in many fields or in one line", .overEachTransport,
        arguments: [(300, 300), (1, 200_000)])
    func largeHeader(count: Int, length: Int) async throws {
        let fields = (0..<count).map { LoopbackHeader("X-Field-\($0)", String(repeating: "x", count: length)) }
        let server = try LoopbackServer { _ in .script([.head(status: 200, headers: fields), .text("{}")]) }
        let provider = RemoteJSONProvider(url: server.url, configuration: .forTests())
        let error = await #expect(throws: FlagError.self) { try await provider.refresh() }
        let reason = try #require(error?.reason)
        #expect(reason.contains("header-too-large") && !reason.contains("memory"), "\(reason)")
    }

    @Test("A redirect is the answer where none may be followed", .overEachTransport)
    func noRedirects() async throws {
        let server = try LoopbackServer { request in
            guard request.path == "/" else { return good() }
            let fields = [LoopbackHeader("Location", "/flags.json"), LoopbackHeader("Set-Cookie", "a=1; HttpOnly")]
            return .response(LoopbackResponse(status: 303, headers: fields))
        }
        var request = HTTPTransportRequest(url: server.url)
        request.maximumRedirects = 0
        let answer = try await TestTransport.make().response(to: request)
        #expect(answer.status == 303 && answer.headers["Set-Cookie"] == "a=1; HttpOnly")
        #expect(server.requests.map(\.path) == ["/"])
        let provider = RemoteJSONProvider(url: server.url, configuration: .forTests { $0.maximumRedirects = 0 })
        await #expect { try await provider.refresh() } throws: { ($0 as? FlagError)?.code == .network }
    }

    @Test("Falling back to URLSession is reported once, and says what to do")
    func fallback() {
        let issues = Mutex<[FlagError]>([])
        let hasReported = Mutex(false)
        FlagIssueReporter.withReporter(FlagIssueReporter { issue in issues.withLock { $0.append(issue) } }) {
            RefreshDriver.reportFallback("remote", once: hasReported)
            RefreshDriver.reportFallback("second", once: hasReported)
        }
        let all = issues.withLock { $0 }
        #expect(all.map { "\($0.code)" } == ["transport-fallback"])
        #expect(all.first?.provider == "remote")
        #expect(all.first?.message.contains("Link dynamically, or set configuration.transport") == true)
    }
}
