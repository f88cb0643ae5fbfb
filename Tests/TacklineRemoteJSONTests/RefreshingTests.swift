import Foundation
import TacklineCore
import TacklineLoopback
import TacklineTestSupport
import TacklineTesting
import Testing

@testable import TacklineRemoteJSON

@Suite("A remote provider that is refreshed", .overEachTransport, .hangLimit) struct RefreshingTests {
    @Test("gets values, hears that nothing is new by 304, and gets the next ones")
    func refreshes() async throws {
        let documents = LoopbackDocuments()
        documents.setDocument(path: "/flags.json", text: #"{"sson": true, "secrets": {"boom": 1}}"#)
        let server = try LoopbackServer(documents: documents)
        let provider = RemoteJSONProvider(url: server.url(path: "flags.json"), configuration: .forTests())

        #expect(provider.status == .notReady)
        #expect(try await provider.refresh() == .changed(["sson", "secrets/boom"]))
        #expect(provider.value(for: "sson") == .bool(true))
        #expect(provider.value(for: "secrets/boom") == .integer(1))
        #expect(provider.status == .ready)

        #expect(try await provider.refresh() == .unchanged)
        #expect(server.requests.last?.headerValue("If-None-Match") != nil)

        documents.setDocument(path: "/flags.json", text: #"{"sson": false, "secrets": {"boom": 1}}"#)
        #expect(try await provider.refresh() == .changed(["sson"]))
        #expect(provider.value(for: "sson") == .bool(false))
    }

    @Test("and is never started reports that once, when it is read after ten seconds")
    func neverStarted() async throws {
        let (clock, issues) = (ManualClock(), IssueRecorder())
        func provider() throws -> RemoteJSONProvider {
            try FlagIssueReporter.withReporter(issues.reporter) {
                RemoteJSONProvider(
                    url: try #require(URL(string: "https://flags.example/")),
                    configuration: .forTests {
                        $0.clock = clock
                        $0.transport = noServer
                    })
            }
        }
        let (forgotten, started) = (try provider(), try provider())
        _ = forgotten.value(for: "a")
        started.start()
        defer { started.stop() }
        clock.advance(by: .seconds(10))
        for provider in [forgotten, started, forgotten] { _ = provider.value(for: "a") }
        #expect(issues.codes == ["never-started"])
    }
}
