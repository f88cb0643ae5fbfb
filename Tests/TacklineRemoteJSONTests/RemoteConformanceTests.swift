import Foundation
import Synchronization
import TacklineCore
import TacklineRemoteJSON
import TacklineTestSupport
import TacklineTesting
import Testing

@Suite("The remote provider, as a provider", .hangLimit) struct RemoteConformanceTests {
    /// The document of one provider.
    private final class Server: Sendable {
        private let text = Mutex("")

        func set(_ document: FlagDocument) throws {
            let new = try FlagJSONWriter(layout: .compact).text(of: .object(document.root))
            text.withLock { $0 = new }
        }

        var transport: StubTransport { StubTransport { [self] _ in HTTPTransportResponse(json: text.withLock { $0 }) } }
    }

    @Test("keeps every rule that a loader relies on")
    func conformance() async throws {
        let url = try #require(URL(string: "https://flags.example/"))
        let servers = Mutex<[ObjectIdentifier: Server]>([:])
        let document = FlagDocument([
            "flat": true, "group/flat": 1, "group": ["nested": "x", "flat": 2], "list": [1, 2.5],
        ])
        let values: [FlagKeyPath: EncodedFlagValue] = [
            "flat": true, "group/flat": 1, "group/nested": "x", "list": [1, 2.5],
        ]
        var suite = FlagProviderConformance(holding: values) {
            let server = Server()
            try server.set(document)
            let provider = RemoteJSONProvider(url: url, configuration: .forTests { $0.transport = server.transport })
            servers.withLock { $0[ObjectIdentifier(provider)] = server }
            try await provider.refresh()
            return provider
        }
        suite.change = { provider, values in
            let remote = try #require(provider as? RemoteJSONProvider)
            var document = try #require(remote.document)
            for (key, value) in values { document.setValue(value, for: key) }
            try servers.withLock { $0[ObjectIdentifier(remote)] }?.set(document)
            try await remote.refresh()
        }
        // JSON has no data, dates and untyped texts; they come back as the strings that it carries them as.
        suite.isSame = { written, read in
            let writer = FlagJSONWriter(layout: .compact)
            return (try? writer.bytes(of: written)) == (try? writer.bytes(of: read))
        }
        let report = await suite.report()
        #expect(report.failures.isEmpty && !report.passed.isEmpty, "\(report)")
    }
}
