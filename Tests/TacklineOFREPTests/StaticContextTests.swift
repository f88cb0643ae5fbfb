import Foundation
import TacklineCore
import TacklineLoopback
import TacklineOFREP
import TacklineRemoteJSON
import TacklineTargeting
import TacklineTestSupport
import TacklineTesting
import Testing

@Suite("OFREP for one context", .hangLimit) struct StaticContextTests {
    private struct Flags: FlagCollectionProtocol {
        @Flag(default: 0, description: "A flag that the server cannot evaluate") var bad: Int
    }

    private let clock = ManualClock()

    private func provider(
        _ server: LoopbackServer, _ context: EvaluationContext = ["targetingKey": "ada"],
        _ change: (inout OFREPProvider.Configuration) -> Void = { _ in }
    ) throws -> OFREPProvider {
        let configuration = OFREPProvider.Configuration.forTests {
            $0.requests.clock = clock
            change(&$0)
        }
        return try OFREPProvider(baseURL: server.url, context: context, configuration: configuration)
    }

    @Test("the context goes in the body of a POST to the bulk endpoint, and in no URL")
    func request() async throws {
        let server = try LoopbackServer(replies: [bulk(flag("a", "1"))])
        let context: EvaluationContext = ["targetingKey": "ada #1?", "age": 36, "tags": ["x", "é"]]
        let provider = try provider(server, context)
        try await provider.refresh()
        let request = try #require(server.requests.first)
        #expect(request.method == "POST")
        #expect(request.target == "/ofrep/v1/evaluate/flags")
        #expect(request.headerValue("Content-Type") == "application/json")
        #expect(request.context == ["targetingKey": "ada #1?", "age": 36, "tags": ["x", "é"]])
        #expect(request.headerValue("If-None-Match") == nil)
    }

    @Test("values of every type, variants, reasons, metadata and error codes are those of the answer")
    func answers() async throws {
        let server = try LoopbackServer(replies: [
            bulk(
                [
                    flag(
                        "bool", "true", #""reason": "TARGETING_MATCH", "variant": "on", "metadata": {"team": "shop"}"#),
                    flag("text", "\"x\""), flag("whole", "7"), flag("part", "1.5"), flag("object", #"{"inner": 3}"#),
                    #"{"key": "code", "reason": "DISABLED"}"#,
                    #"{"key": "bad", "errorCode": "TARGETING_KEY_MISSING", "errorDetails": "no key"}"#,
                ].joined(separator: ","))
        ])
        let provider = try provider(server)
        #expect(provider.evaluation(for: "bool").description.isEmpty)
        try await provider.refresh()
        let bool = provider.evaluation(for: "bool")
        #expect(bool.value == true)
        #expect(bool.variant == "on")
        #expect(bool.reason == .targetingMatch)
        #expect(bool.metadata == ["team": "shop"])
        #expect(provider.value(for: "text") == "x")
        #expect(provider.value(for: "whole") == 7)
        #expect(provider.value(for: "part") == 1.5)
        #expect(provider.value(for: "object") == ["inner": 3])
        #expect(provider.value(for: "object/inner") == 3)
        #expect(provider.evaluation(for: "code").value == nil)
        #expect(provider.evaluation(for: "code").reason == .disabled)
        #expect(provider.evaluation(for: "code").errorCode == nil)
        #expect(provider.evaluation(for: "bad").value == nil)
        #expect(provider.evaluation(for: "bad").errorCode?.rawValue == "TARGETING_KEY_MISSING")
        #expect(provider.evaluation(for: "bad").errorMessage == "no key")
        #expect(provider.evaluation(for: "nowhere").description.isEmpty)
        let explanation = FlagsLoader(Flags.self, providers: [provider]).$bad.explain().description
        #expect(explanation.contains("no value [ERROR: no key]"), "\(explanation)")
        #expect(server.requests.count == 1)
    }

    @Test("without a poll interval it asks once")
    func polling() async throws {
        let server = try LoopbackServer(replies: [bulk(flag("a", "1"))])
        let provider = try provider(server)
        provider.start()
        defer { provider.stop() }
        // Nothing is waited for but the end of freshness.
        try await clock.waitForSleepers { $0.count == 1 && $0[0] >= .seconds(24 * 3600) }
        #expect(server.requests.count == 1)
    }

    @Test("401 and 403 are final: nothing is asked by itself any more, and refresh() may", arguments: [401, 403])
    func final(code: Int) async throws {
        let server = try LoopbackServer(replies: [bulk(flag("a", "1")), status(code), bulk(flag("a", "2"))])
        let issues = IssueRecorder()
        let provider = try FlagIssueReporter.withReporter(issues.reporter) {
            try self.provider(server) { $0.requests.pollInterval = .seconds(300) }
        }
        var outcomes = Elements(provider.refresher.outcomes)
        provider.start()
        defer { provider.stop() }
        #expect(try await outcomes.next() == .success(.changed(["a"])))
        try await clock.waitForSleepers { $0.count == 1 && $0[0] >= .seconds(270) }
        clock.advance(by: .seconds(330))
        guard case .failure(let error) = try await outcomes.next() else { Issue.record("no failure"); return }
        #expect(error.code == "misconfigured")
        #expect(provider.refresher.publicState.nextAttempt == nil)
        #expect(provider.status == .failed(error))
        #expect(provider.value(for: "a") == 1)
        try await wait { issues.issues.count >= 1 }
        #expect(issues.codes == [.init("refused-request")])
        // No timer but those of the values' age; not even coming back to the foreground asks.
        provider.refresher.suspend()
        provider.refresher.resume()
        try await clock.waitForSleepers { $0.count == 1 && $0[0] > .seconds(400) }
        #expect(server.requests.count == 2)
        #expect(try await provider.refresh() == .changed(["a"]))
        #expect(provider.status == .ready)
        try await clock.waitForSleepers { $0.count == 1 && $0[0] >= .seconds(270) }
    }

    @Test("Retry-After is obeyed, in seconds and as the protocol's date, by refresh() and by other contexts")
    func retryAfter() async throws {
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        for wait in ["700", "2023-11-14T22:25:00Z"] {
            let server = try LoopbackServer(replies: [
                status(429, [LoopbackHeader("Retry-After", wait)]), bulk(flag("a", "2")),
            ])
            let provider = try provider(server) { $0.requests.wallClock = { now } }
            await #expect { try await provider.refresh() } throws: { ($0 as? FlagError)?.code == .network }
            await #expect { try await provider.refresh() } throws: { ($0 as? FlagError)?.code == "throttled" }
            provider.setContext(["targetingKey": "ben"])
            await #expect { try await provider.refresh() } throws: { ($0 as? FlagError)?.code == "throttled" }
            #expect(server.requests.count == 1)
            clock.advance(by: .seconds(701))
            try await provider.refresh()
            #expect(provider.value(for: "a") == 2)
            #expect(server.requests.last?.user == "ben")
        }
    }

    @Test("a base URL that is none is refused when the provider is made")
    func invalidURL() throws {
        for text in ["ftp://x", "flags", "http://", "https://host/?a=b", "mailto:x@y"] {
            let url = try #require(URL(string: text))
            #expect { try OFREPProvider(baseURL: url) } throws: { ($0 as? FlagError)?.code == "invalid-url" }
        }
    }
}
