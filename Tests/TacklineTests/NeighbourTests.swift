import Foundation
import Tackline
import TacklineTestSupport
import Testing

@Suite("A write or a reset through one flag", .hangLimit)
struct NeighbourTests {
    struct Switch: FlagCollectionProtocol {
        @Flag(default: false) var search: Bool
    }

    struct Theme: FlagCollectionProtocol {
        @Flag(key: .absolute("ui/theme"), default: "light") var theme: String
    }

    struct Colors: FlagCollectionProtocol {
        @Flag(key: .absolute("ui/theme/color"), default: "blue") var color: String
    }

    struct Search: FlagCollectionProtocol {
        @Flag(key: .absolute("search/limit"), default: 1) var limit: Int
        @Flag(key: .absolute("search/order"), default: "name") var order: String
    }

    /// Every kind of provider that can be written to, with a way to open what it keeps again.
    static func providers(in folder: TemporaryFolder) -> [() throws -> any WritableFlagProvider] {
        let memory = MemoryProvider()
        let suite = suite(of: folder)
        return [
            { memory }, { LocalProvider(file: folder.file("flags.json")) },
            { LocalProvider(file: folder.file("flags.plist")) }, { UserDefaultsProvider(suiteName: suite) },
            {
                FlagOverrides(
                    storage: LocalProvider(file: folder.file("overrides.json")), environment: .nonProduction)
            },
        ]
    }

    private static func suite(of folder: TemporaryFolder) -> String { "neighbours-\(folder.url.lastPathComponent)" }

    private static func removeSuite(of folder: TemporaryFolder) {
        UserDefaults.standard.removePersistentDomain(forName: suite(of: folder))
    }

    @Test("leaves a group of a file byte for byte as it is, and says that it has the flag's name")
    func group() throws {
        let folder = try TemporaryFolder()
        let text = #"{"search":{"limit":50,"order":"date"}}"#
        let file = LocalProvider(file: try folder.file("flags.json", text))
        let (flag, group) = (loader(Switch.self, file), loader(Search.self, file))
        try flag.$search.resetValue()
        #expect {
            try flag.$search.setValue(true)
        } throws: {
            "\($0)".contains("it has a group under the key \"search\"")
        }
        #expect(try folder.text("flags.json") == text && group.limit == 50 && !flag.search)
    }

    @Test("sets a flag beside the group under its key, and removes it again")
    func flatValue() throws {
        let folder = try TemporaryFolder()
        defer { Self.removeSuite(of: folder) }
        for open in Self.providers(in: folder) {
            let provider = try open()
            let (flag, group) = (loader(Theme.self, provider), loader(Colors.self, provider))
            try provider.setValue(["theme": ["color": "red"]], for: "ui")
            try flag.$theme.setValue("dark")
            #expect(flag.theme == "dark" && group.color == "red", "\(provider.name)")
            let again = try open()
            let (flagAgain, groupAgain) = (loader(Theme.self, again), loader(Colors.self, again))
            #expect(flagAgain.theme == "dark" && groupAgain.color == "red", "\(provider.name)")
            try flagAgain.$theme.resetValue()
            #expect(flagAgain.theme == "light" && groupAgain.color == "red", "\(provider.name)")
        }
    }

    private func loader<Flags: FlagCollectionProtocol>(
        _ type: Flags.Type, _ provider: any WritableFlagProvider
    ) -> FlagsLoader<Flags> {
        // Loaders that do not know of each other.
        FlagsLoader(type, providers: [provider], issueReporter: .silent)
    }
}
