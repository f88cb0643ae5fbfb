import TacklineCore
import TacklineMemory
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

    @Test("are listed in the order of their declaration")
    func flat() {
        #expect(shop.allFlags.map(\.id.text) == ["last", "first", "middle", "basket/enabled", "basket/deeper/leaf"])
        #expect(shop.allFlags.map { "\($0.valueType)" } == ["Int", "Int", "Int", "Bool", "String"])
        #expect(shop.allFlags.map(\.defaultValue) == [1, 2, 3, true, "x"])
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
        #expect(shop.root.allFlags.count == 5)
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

    @Test("are an empty group if no loader created the collection")
    func byHand() {
        #expect(Shop().$basket.allFlags.isEmpty)
        #expect(Shop().$basket.metadata == FlagMetadata())
    }
}
