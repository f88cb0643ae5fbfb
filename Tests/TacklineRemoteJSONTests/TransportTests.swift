import Synchronization
import TacklineCore
import TacklineTestSupport
import TacklineTesting
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
        let error = await #expect(throws: FlagProviderError.self) { try await provider.refresh() }
        let reason = try #require(error?.reason)
        #expect(reason.contains("header-too-large") && !reason.contains("memory"), "\(reason)")
    }

    @Test("Falling back to URLSession is reported once, and says what to do")
    func fallback() {
        let issues = Mutex<[FlagIssue]>([])
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
