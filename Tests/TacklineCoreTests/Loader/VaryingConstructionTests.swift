import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

private struct RegionFlags: FlagCollectionProtocol {
    @TaskLocal static var region = "es"

    @Flag var price: Int
    @Flag var title: String

    init() {
        _price = Flag(key: .component("\(Self.region)_price"), default: 1, description: "A price")
        _title = Flag(key: .component("\(Self.region)_title"), default: "", description: "A title")
    }
}

private struct RegionGroups: FlagCollectionProtocol {
    @FlagCollection var region: Prices

    init() { _region = FlagCollection(key: RegionFlags.region, description: "A region") }
}

private struct Prices: FlagCollectionProtocol {
    @Flag(default: 1) var price: Int
}

/// Returns two members that one helper makes, in either order.
private func pair<Member>(_ make: () -> Member) -> (Member, Member) {
    let (one, other) = (make(), make())
    return HelpedFlags.isReversed ? (other, one) : (one, other)
}

private struct HelpedFlags: FlagCollectionProtocol {
    @TaskLocal static var isReversed = false

    @Flag var first: Int
    @Flag var second: Int

    init() { (_first, _second) = pair { Flag(default: 0, description: "Made by a helper") } }
}

private struct HelpedGroups: FlagCollectionProtocol {
    @FlagCollection var first: Prices
    @FlagCollection var second: Prices

    init() { (_first, _second) = pair { FlagCollection(description: "Made by a helper") } }
}

@Suite("Loaders of a collection whose constructions differ")
struct VaryingConstructionTests {
    @Test("take the values of the keys that were made for each of them")
    func runtimeKeys() throws {
        let memory = MemoryProvider(values: [
            "es_price": 10, "it_price": 20, "es_title": "uno", "it_title": "due", "es": ["price": 30],
            "it": ["price": 40],
        ])
        var loaders: [FlagsLoader<RegionFlags>] = []
        for region in ["es", "it", "es", "it"] {
            try RegionFlags.$region.withValue(region) {
                let flags = FlagsLoader(RegionFlags.self, providers: [memory])
                #expect(flags.price == (region == "es" ? 10 : 20) && flags.title == (region == "es" ? "uno" : "due"))
                #expect(flags.$price.keyPath?.text == "\(region)_price")
                let groups = FlagsLoader(RegionGroups.self, providers: [memory], issueReporter: .silent)
                #expect(groups.region.price == (region == "es" ? 30 : 40))
                try flags.validate()
                loaders.append(flags)
            }
        }
        #expect(loaders.map(\.price) == [10, 20, 10, 20])
    }

    @Test("give flags and groups of one helper to their properties, in whatever order they are made")
    func helperOrder() throws {
        let memory = MemoryProvider(values: ["first": 1, "second": 2])
        let groups = MemoryProvider(values: ["first/price": 1, "second/price": 2])
        for isReversed in [false, true, true, false] {
            try HelpedFlags.$isReversed.withValue(isReversed) {
                let flags = FlagsLoader(HelpedFlags.self, providers: [memory])
                try flags.validate()
                #expect(flags.first == 1 && flags.second == 2, "reversed: \(isReversed)")
                // The groups of the declarations, which the initializer replaces, are reported.
                let nested = FlagsLoader(HelpedGroups.self, providers: [groups], issueReporter: .silent)
                #expect(nested.first.price == 1 && nested.second.price == 2, "reversed: \(isReversed)")
            }
        }
    }

    @Test("have their own defaults and metadata")
    func defaultsAndMetadata() {
        struct Flags: FlagCollectionProtocol {
            @TaskLocal static var number = 0
            @Flag var text: String
            @Flag var limited: Int

            init() {
                _text = Flag(default: "text \(Self.number)", description: "Number \(Self.number)")
                _limited = Flag(default: Self.number, bounds: .range(0...1), description: "Has bounds")
            }
        }
        let loaders = (0..<3).map { number in
            Flags.$number.withValue(number) { FlagsLoader(Flags.self, providers: [], issueReporter: .silent) }
        }
        #expect(loaders.map(\.text) == ["text 0", "text 1", "text 2"])
        #expect(loaders.map { $0.$text.metadata.description } == ["Number 0", "Number 1", "Number 2"])
        #expect(loaders.map { $0.$text.defaultValue } == ["text 0", "text 1", "text 2"])
        #expect(throws: Never.self) { try loaders[1].validate() }
        #expect(throws: FlagError.self) { try loaders[2].validate() }
    }
}
