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

    @Test("gives its states, the current one first, also when the values become stale, and ends them with itself")
    func states() async throws {
        let (server, clock) = (try LoopbackServer(replies: [good()]), ManualClock())
        var provider = RemoteJSONProvider(
            url: server.url,
            configuration: .forTests { ($0.clock, $0.pollInterval, $0.staleAfter) = (clock, .zero, .seconds(1000)) })
        var states = provider.states.makeAsyncIterator()
        #expect(await states.next(isolation: nil)?.status == .notReady)
        provider.start()
        var last = await states.next(isolation: nil)
        while let state = last, state.status != .ready { last = await states.next(isolation: nil) }
        #expect(last?.revision == "\"1\"" && last?.lastSuccess != nil && last?.lastError == nil)
        try await clock.waitForSleepers { $0 == [.seconds(1000)] }
        clock.advance(by: .seconds(1000))
        while let state = last, state.status == .ready { last = await states.next(isolation: nil) }
        #expect(last?.status == .stale(age: .seconds(1000)))
        provider.stop()
        provider = RemoteJSONProvider(url: server.url, configuration: .forTests())
        while last != nil { last = await states.next(isolation: nil) }
    }

    @Test("gives no state for what changes nothing, so that a consumer that calls the provider is not called for ever")
    func sameState() async throws {
        let url = try #require(URL(string: "https://flags.example/"))
        var provider = RemoteJSONProvider(url: url, configuration: .forTests())
        var states = provider.states.makeAsyncIterator()
        #expect(await states.next(isolation: nil)?.status == .notReady)
        provider.isOffline = false
        provider.setSubject(nil)
        provider.stop()
        #expect(!provider.activate())
        provider = RemoteJSONProvider(url: url, configuration: .forTests())
        #expect(await states.next(isolation: nil) == nil)
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
