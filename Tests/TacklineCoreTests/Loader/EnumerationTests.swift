import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

private struct Shop: FlagCollectionProtocol {
    @Flag(name: "Named by hand", default: 1, description: FlagMetadata(description: "last", order: 2)) var last: Int
    @Flag(
        default: 2,
        description: FlagMetadata(
            name: "In the metadata", description: "first", order: -1, isInternal: true, isLocked: true,
            iconName: "flag", tags: ["a", "b"], owner: "Ada", ticket: "SHOP-1")) var first: Int
    @Flag(default: 3, description: "middle") var middle: Int
    @FlagCollection(name: "The basket", description: "What is bought") var basket: Basket
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
    private let shop = FlagsLoader(
        Shop.self, description: .init(name: "The shop", description: "All of it"), providers: [MemoryProvider()])

    @Test("are listed by the order in their metadata, before those of nested collections")
    func flat() {
        let flags = shop.root.allFlags
        #expect(flags.map(\.id.text) == ["first", "middle", "last", "basket/enabled", "basket/deeper/leaf"])
        #expect(flags.map { "\($0.valueType)" } == ["Int", "Int", "Int", "Bool", "String"])
        #expect(flags.map(\.defaultValue) == [2, 3, 1, true, "x"])
    }

    @Test("are listed as a tree, sorted by the order in their metadata")
    func tree() throws {
        #expect(shop.root.metadata.name == "The shop")
        #expect(shop.root.flags.map(\.keyPath.text) == ["first", "middle", "last"])
        let basket = try #require(shop.root.groups.first)
        #expect(basket.metadata.name == "The basket" && basket.metadata.description == "What is bought")
        #expect(basket.keyPath == "basket" && basket.groups.map(\.property) == ["basket.deeper"])
        #expect(basket.allFlags.map(\.keyPath.text) == ["basket/enabled", "basket/deeper/leaf"])
        #expect(shop.$basket.allFlags.map(\.id) == basket.allFlags.map(\.id))
    }

    @Test("have their metadata, with the property's name if no other is given")
    func metadata() {
        #expect(shop.$last.metadata.name == "Named by hand")
        let first = shop.$first.metadata
        #expect(first.name == "In the metadata" && first.isInternal && first.isLocked && first.iconName == "flag")
        #expect(
            first.tags == ["a", "b"] && first.owner == "Ada" && first.ticket == "SHOP-1" && first.expiryDate == nil)
        #expect(shop.$middle.metadata == FlagMetadata(name: "middle", description: "middle"))
    }

    @Test("have the name of the declaration, which takes precedence over that of the metadata")
    func names() {
        struct Named: FlagCollectionProtocol {
            @Flag(name: "By parameter", default: 1, description: FlagMetadata(name: "By metadata")) var flag: Int
            @Flag(default: 1, description: "Uses \(1 + 1) colors") var interpolated: Int
        }
        let flags = FlagsLoader(Named.self, providers: [])
        #expect(flags.$flag.metadata.name == "By parameter")
        #expect(flags.$interpolated.metadata.description == "Uses 2 colors")
    }

    @Test("are in groups that are sorted by the order in their metadata")
    func groupOrder() {
        struct Ordered: FlagCollectionProtocol {
            @FlagCollection(description: FlagMetadata(order: 2)) var last: Deeper
            @FlagCollection var middle: Deeper
            @FlagCollection(description: FlagMetadata(order: -1)) var first: Deeper
            @FlagCollection var alsoMiddle: Deeper
        }
        let flags = FlagsLoader(Ordered.self, providers: [])
        #expect(flags.root.groups.map(\.property) == ["first", "middle", "alsoMiddle", "last"])
    }

    @Test("have a root with the metadata, keys and reporter of the loader")
    func root() {
        let recorder = IssueRecorder()
        let keys = KeyConfiguration(prefix: "p", keyTransform: .none)
        let flags = FlagsLoader(
            Deeper.self, description: "Deep", keyConfiguration: keys, providers: [], issueReporter: recorder.reporter)
        #expect(flags.root.metadata.description == "Deep" && flags.root.keyConfiguration == keys)
        flags.root.issueReporter.report(FlagError(.refusedValue, "A test."))
        #expect(recorder.codes == [.refusedValue])
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
