import TacklineCore
import Testing

@Suite("A property with a raw identifier") struct RawIdentifierTests {
    private struct RawFlags: FlagCollectionProtocol {
        @Flag(default: false, description: "Dark") var `dark mode`: Bool
        @Flag(default: false, description: "A keyword") var `default`: Bool
        @FlagCollection(description: "A group") var `my group`: Inner
    }

    private struct Inner: FlagCollectionProtocol {
        @Flag(default: 1, description: "A number") var `1st try`: Int
    }

    @Test("has a key made of its words")
    func keys() throws {
        let loader = FlagsLoader(RawFlags.self, providers: [])
        try loader.validate()
        #expect(loader.root.allFlags.map(\.keyPath.text) == ["dark_mode", "default", "my_group/1st_try"])
        #expect(loader.root.allFlags.map(\.property) == ["dark mode", "default", "my group.1st try"])
    }
}
