import Foundation
import Synchronization
import TacklineCore
import TacklineLoopback
import TacklineRemoteJSON
import TacklineTargeting
import TacklineTestSupport
import TacklineTesting
import Testing

@testable import TacklineOFREP

@Suite("OFREP, when something is bad", .hangLimit) struct FaultTests {
    private let clock = ManualClock()
    private let issues = IssueRecorder()

    private func provider(
        _ server: LoopbackServer, _ change: (inout OFREPProvider.Configuration) -> Void = { _ in }
    ) throws -> OFREPProvider {
        let configuration = OFREPProvider.Configuration.forTests {
            $0.requests.clock = clock
            change(&$0)
        }
        return try FlagIssueReporter.withReporter(issues.reporter) {
            try OFREPProvider(baseURL: server.url, context: ["targetingKey": "ada"], configuration: configuration)
        }
    }

    @Test("an answer that is none changes nothing and is reported once, until there is a good one")
    func wrongAnswer() async throws {
        for text in [
            "", "{", "[]", "{}", #"{"flags": {}}"#, #"{"flags": null}"#, "<html>", #"{"flags": [}"#, #"{"flags": [1]}"#,
            #"{"flags": [{"name": "a"}]}"#, #"{"flags": [{"key": "a", "value": 1e400}]}"#,
            #"{"flags": [{"key": "a", "value": "\ud800"}]}"#, #"{"flags": [{"key": "a", "key": "b", "value": 1}]}"#,
            #"{"flags": [{"key": "a", "errorCode": "GENERAL"}]}"#, #"{"error": "Rate limited"}"#,
        ] {
            try await FaultTests().wrongAnswer(text: text)
        }
    }

    private func wrongAnswer(text: String) async throws {
        let bad = LoopbackReply.response(.json(text, etag: "\"bad\""))
        let server = try LoopbackServer(replies: [bulk(flag("a", "1"), etag: "\"1\""), bad, bad, bulk(flag("a", "2"))])
        let provider = try provider(server)
        try await provider.refresh()
        for _ in 1...2 {
            await #expect { try await provider.refresh() } throws: { ($0 as? FlagError)?.code == .rejected }
        }
        #expect(provider.value(for: "a") == 1)
        #expect(issues.codes == [.init("rejected-document")])
        #expect(server.requests.last?.headerValue("If-None-Match") == "\"1\"")
        #expect(try await provider.refresh() == .changed(["a"]))
    }

    @Test("a server that repeats the key in its error does not bring it into errors, issues or the log")
    func repeatedKey() async throws {
        let server = try LoopbackServer(replies: [bulk(#"{"key": "a", "errorCode": "X", "errorDetails": "k3y"}"#)])
        let lines = Lines()
        let provider = try provider(server) { ($0.apiKey, $0.requests.log) = ({ "k3y" }, lines.append) }
        await #expect { try await provider.refresh() } throws: { !"\($0)".contains("k3y") }
        try await lines.wait(for: "a request failed")
        #expect(!"\(issues.issues) \(lines.all)".contains("k3y"))
    }

    @Test("an empty list of flags withdraws all values")
    func empty() async throws {
        let server = try LoopbackServer(replies: [bulk(flag("a", "1")), bulk("")])
        let provider = try provider(server)
        try await provider.refresh()
        #expect(try await provider.refresh() == .changed(["a"]))
        #expect(provider.value(for: "a") == nil && issues.codes.isEmpty)
    }

    @Test("a flag that is not as the protocol has it has no value, and the others have theirs")
    func misfits() async throws {
        let flags = [
            "1", "{}", #"{"key": 7, "value": 1}"#, #"{"key": "", "value": 1}"#, flag("a", "1"), flag("a", "2"),
            #"{"key": "b", "value": null}"#, #"{"key": "c", "errorCode": 7}"#,
            #"{"key": "d", "value": true, "reason": 7, "variant": [], "metadata": 1}"#,
        ]
        let server = try LoopbackServer(replies: [bulk(flags.joined(separator: ","))])
        let provider = try provider(server)
        try await provider.refresh()
        #expect(provider.value(for: "a") == 1)
        #expect(provider.value(for: "b") == nil)
        #expect(provider.evaluation(for: "c").errorCode == .general)
        #expect(provider.value(for: "d") == true)
        #expect(provider.evaluation(for: "d").reason == .unknown)
        #expect(issues.codes == Array(repeating: .init("ofrep-flag"), count: 5))
    }

    @Test("a header field that the protocol's client sets itself is reported by both providers when they are made")
    func configuration() throws {
        let url = try #require(URL(string: "https://flags.example"))
        let configuration = OFREPProvider.Configuration.forTests { $0.requests.headers = ["If-None-Match": "1"] }
        let issues = IssueRecorder()
        try FlagIssueReporter.withReporter(issues.reporter) {
            _ = try OFREPProvider(baseURL: url, configuration: configuration)
            _ = try OFREPServerProvider(baseURL: url, configuration: configuration)
        }
        #expect(issues.codes == [.init("remote-configuration"), .init("remote-configuration")])
    }

    /// The values of one provider.
    private final class Server: Sendable {
        private let values: Mutex<[FlagKeyPath: EncodedFlagValue]>

        init(_ values: [FlagKeyPath: EncodedFlagValue]) { self.values = Mutex(values) }

        func change(_ changes: [FlagKeyPath: EncodedFlagValue?]) {
            values.withLock { values in for (key, value) in changes { values[key] = value } }
        }

        var transport: StubTransport {
            StubTransport { [self] _ in
                let flags = values.withLock { $0 }.map {
                    EncodedFlagValue.object(["key": .string($0.key.text), "value": $0.value])
                }
                return HTTPTransportResponse(json: try FlagJSONWriter().text(of: ["flags": .array(flags)]))
            }
        }
    }

    @Test("keeps every rule that a loader relies on")
    func conformance() async throws {
        let url = try #require(URL(string: "https://flags.example/"))
        let servers = Mutex<[ObjectIdentifier: Server]>([:])
        let values: [FlagKeyPath: EncodedFlagValue] = ["flat": true, "group/nested": "x", "number": 1.5]
        var suite = FlagProviderConformance(holding: values) {
            let server = Server(values)
            let provider = try OFREPProvider(
                baseURL: url, configuration: .forTests { $0.requests.transport = server.transport })
            servers.withLock { $0[ObjectIdentifier(provider)] = server }
            try await provider.refresh()
            return provider
        }
        suite.change = { provider, values in
            let own = try #require(provider as? OFREPProvider)
            // To the protocol null is no value but the default in the code.
            if values.values.contains(.some(.null)) {
                throw FlagError(.unsupportedValue, provider: own.name, reason: "there is no null")
            }
            servers.withLock { $0[ObjectIdentifier(own)] }?.change(values)
            try await own.refresh()
        }
        suite.isSame = { written, read in
            let writer = FlagJSONWriter(layout: .compact)
            return (try? writer.bytes(of: written)) == (try? writer.bytes(of: read))
        }
        let report = await suite.report()
        #expect(report.failures.isEmpty && !report.passed.isEmpty, "\(report)")
    }
}
