import Synchronization
import TacklineCore
import TacklineLoopback
import TacklineRemoteJSON
import TacklineTestSupport
import TacklineTesting
import Testing

@Suite("The remote provider, as a provider", .hangLimit) struct RemoteConformanceTests {
    private static let path = "/flags.json"

    /// A server of its own for each provider, as long as the test runs.
    private final class Servers: Sendable {
        private struct Entry {
            var server: LoopbackServer
            var documents: LoopbackDocuments
            var provider: RemoteJSONProvider
        }

        private let entries = Mutex<[Entry]>([])

        func make(_ document: FlagDocument) async throws -> RemoteJSONProvider {
            let documents = LoopbackDocuments()
            try set(document, documents)
            let server = try LoopbackServer(documents: documents)
            let url = server.url(path: String(path.dropFirst()))
            let provider = RemoteJSONProvider(url: url, configuration: .forTests())
            entries.withLock { $0.append(Entry(server: server, documents: documents, provider: provider)) }
            try await provider.refresh()
            return provider
        }

        func change(_ provider: any FlagProvider, _ values: [FlagKeyPath: EncodedFlagValue?]) async throws {
            let entry = try #require(entries.withLock { $0.first { $0.provider === provider as AnyObject } })
            var document = try #require(entry.provider.document)
            for (key, value) in values { document.setValue(value, for: key) }
            try set(document, entry.documents)
            try await entry.provider.refresh()
        }

        private func set(_ document: FlagDocument, _ documents: LoopbackDocuments) throws {
            let text = try FlagJSONWriter(layout: .compact).text(of: .object(document.root))
            documents.setDocument(path: path, text: text)
        }
    }

    @Test("keeps every rule that a loader relies on")
    func conformance() async throws {
        let servers = Servers()
        let document = FlagDocument([
            "flat": true, "group/flat": 1, "group": ["nested": "x", "flat": 2], "list": [1, 2.5],
        ])
        let values: [FlagKeyPath: EncodedFlagValue] = [
            "flat": true, "group/flat": 1, "group/nested": "x", "list": [1, 2.5],
        ]
        var suite = FlagProviderConformance(holding: values) { try await servers.make(document) }
        suite.change = { try await servers.change($0, $1) }
        // JSON has no data, dates and untyped texts; they come back as the strings that it carries them as.
        suite.isSame = { written, read in
            let writer = FlagJSONWriter(layout: .compact)
            return (try? writer.bytes(of: written)) == (try? writer.bytes(of: read))
        }
        let report = await suite.report()
        #expect(report.failures.isEmpty, "\(report)")
        #expect(!report.passed.isEmpty)
    }
}
