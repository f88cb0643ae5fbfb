import TacklineBrowser
import TacklineCore
import TacklineLocal
import TacklineMemory
import TacklineTestSupport
import Testing

@Suite("The browser, where a flag and a group have one name,", .hangLimit)
struct FlagsBrowserNeighbourTests {
    struct Switch: FlagCollectionProtocol {
        @Flag(default: false) var search: Bool
    }

    struct Search: FlagCollectionProtocol {
        @Flag(key: .absolute("search/limit"), default: 1) var limit: Int
        @Flag(key: .absolute("search/order"), default: "name") var order: String
    }

    @Test("leaves the group to its flags when all flags are reset")
    func reset() async throws {
        let folder = try TemporaryFolder()
        let text = #"{"search":{"limit":50,"order":"date"}}"#
        for provider in [
            LocalProvider(file: try folder.file("flags.json", text), name: "values"),
            MemoryProvider(name: "values", values: ["search": ["limit": 50, "order": "date"]]),
        ] as [any WritableFlagProvider] {
            let switches = FlagsLoader(Switch.self, providers: [provider], issueReporter: .silent)
            let search = FlagsLoader(Search.self, providers: [provider], issueReporter: .silent)
            var configuration = FlagsBrowserConfiguration()
            configuration.destination = "values"
            let browser = FlagsBrowser(switches, configuration: configuration)
            #expect(try await browser.perform(.resetAll()).flags == [])
            #expect(search.limit == 50 && search.order == "date")
        }
    }
}
