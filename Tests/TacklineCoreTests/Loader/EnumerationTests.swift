import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

private struct Shop: FlagCollectionProtocol {
    @Flag(name: "Named by hand", default: 1, description: FlagMetadata(name: "Hidden", order: 2)) var last: Int
    @Flag(
        default: 2,
        description: FlagMetadata(
            name: "In the metadata", description: "first", order: -1, isInternal: true, isLocked: true,
            iconName: "flag", tags: ["a", "b"], owner: "Ada", ticket: "SHOP-1")) var first: Int
    @Flag(default: 3, description: "Uses \(1 + 1) colors") var middle: Int
    @FlagCollection(name: "The basket", description: "What is bought") var basket: Basket
    @FlagCollection(description: FlagMetadata(order: -1)) var early: Deeper
}

private struct Basket: FlagCollectionProtocol {
    @Flag(default: true) var enabled: Bool
    @FlagCollection var deeper: Deeper
}

private struct Deeper: FlagCollectionProtocol {
    @Flag(default: "x") var leaf: String
}

@Suite("The flags of a loader")
struct EnumerationTests {
    private let recorder = IssueRecorder()
    private let shop: FlagsLoader<Shop>

    init() {
        shop = FlagsLoader(
            Shop.self, description: .init(name: "The shop", description: "All of it"),
            keyConfiguration: KeyConfiguration(prefix: "p"), providers: [MemoryProvider()],
            issueReporter: recorder.reporter)
    }

    @Test("are listed by the order in their metadata, before those of nested collections, and as a tree")
    func lists() throws {
        let flags = shop.root.allFlags
        #expect(
            flags.map(\.id.text) == [
                "p/first", "p/middle", "p/last", "p/early/leaf", "p/basket/enabled", "p/basket/deeper/leaf",
            ])
        #expect(flags.map { "\($0.valueType)" } == ["Int", "Int", "Int", "String", "Bool", "String"])
        #expect(flags.map(\.defaultValue) == [2, 3, 1, "x", true, "x"])
        #expect(shop.root.metadata.name == "The shop" && shop.root.metadata.description == "All of it")
        #expect(shop.root.flags.map(\.property) == ["first", "middle", "last"])
        #expect(shop.root.keyConfiguration.prefix == "p" && shop.root.groups.map(\.property) == ["early", "basket"])
        let basket = try #require(shop.root.groups.last)
        #expect(basket.metadata.name == "The basket" && basket.metadata.description == "What is bought")
        #expect(basket.keyPath == "p/basket" && basket.groups.map(\.property) == ["basket.deeper"])
        #expect(shop.$basket.allFlags.map(\.id) == basket.allFlags.map(\.id))
        shop.root.issueReporter.report(FlagError(.refusedValue, "A test."))
        #expect(recorder.codes == [.refusedValue])
    }

    @Test("have their metadata, with the name of the declaration, of the metadata, or of the property")
    func metadata() {
        #expect(shop.$last.metadata.name == "Named by hand")
        let first = shop.$first.metadata
        #expect(first.name == "In the metadata" && first.isInternal && first.isLocked && first.iconName == "flag")
        #expect(
            first.tags == ["a", "b"] && first.owner == "Ada" && first.ticket == "SHOP-1" && first.expiryDate == nil)
        #expect(shop.$middle.metadata == FlagMetadata(name: "middle", description: "Uses 2 colors"))
    }

    @Test("know whether they are computed, and their update policy by name")
    func declarations() {
        struct Declared: FlagCollectionProtocol {
            @Flag(default: 1) var plain: Int
            @Flag(default: 1, updatePolicy: .session, computedValue: { nil }) var closure: Int
            @Flag(default: 1, updatePolicy: .nextLaunch, computed: { (_: Declared) in nil }) var fromRoot: Int
        }
        let flags = FlagsLoader(Declared.self, providers: []).root.allFlags
        #expect(flags.map(\.isComputed) == [false, true, true])
        #expect(flags.map { "\($0.updatePolicy)" } == ["live", "session", "next-launch"])
        #expect(FlagUpdatePolicy(rawValue: "next-launch") == .nextLaunch)
    }

    @Test("are printed with their loader, a line for each")
    func description() {
        let flags = FlagsLoader(Basket.self, providers: [MemoryProvider(name: "memory", values: ["enabled": false])])
        #expect(
            "\(flags)" == """
                Basket, 2 flags
                  enabled = false (provider "memory")
                  deeper/leaf = "x" (default)
                """)
    }

    @Test("are an empty group if no loader created the collection, or the loader is gone")
    func byHand() {
        #expect(Shop().$basket.allFlags.isEmpty)
        #expect(Shop().$basket.metadata == FlagMetadata())
        let copy = { FlagsLoader(Shop.self, providers: []).flags }()
        #expect(copy.$basket.allFlags.isEmpty && copy.$basket.metadata == FlagMetadata())
    }
}
