import CAllocationCounter
import TacklineCore
import TacklineComposition
import TacklineMemory
import Testing

private let canCount = tackline_allocation_count() >= 0

private struct Point: Codable, FlagValue, Equatable {
    var horizontal = 1.5
    var vertical = 2.5
    var label = "a label that takes more than fifteen bytes"
}

private struct InnerFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "Two collections deep") var deep: Bool
}

private struct MiddleFlags: FlagCollectionProtocol {
    @FlagCollection(description: "The innermost") var inner: InnerFlags
}

private struct CountedFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "A payload of one byte") var bool: Bool
    @Flag(default: 0, description: "A word") var integer: Int
    @Flag(default: 0, description: "A word") var double: Double
    @Flag(default: "short", description: "A text that lies in its own two words") var short: String
    @Flag(default: "", description: "A text with storage of its own") var long: String
    @Flag(default: Point(), description: "A struct with a text") var point: Point
    @Flag(default: 7, description: "No provider has it") var missing: Int
    @FlagCollection(description: "The middle") var middle: MiddleFlags
}

/// Runs some work until it was seen to allocate nothing, and returns the smallest number of allocations it was seen to
/// make.
///
/// The first run fills caches. A scope in a test that runs beside this one turns the caches of all loaders off for a
/// moment, so more than one run may be needed; work that does allocate allocates in all of them.
@inline(never)
private func fewestAllocations(_ work: () -> Void) async -> Int64 {
    var fewest = Int64.max
    for _ in 0..<100_000 where fewest > 0 {
        // Tests that run beside this one may open scopes, and then no read in the process is answered from its slot.
        guard !FlagScope.isAnyActive else {
            await Task.yield()
            continue
        }
        let before = tackline_allocation_count()
        work()
        fewest = min(fewest, tackline_allocation_count() - before)
    }
    return fewest
}

/// Makes a value count as used.
@inline(never)
private func use<Value>(_ value: Value) -> Bool {
    withExtendedLifetime(value) { true }
}

@Suite("A read allocates nothing", .enabled(if: canCount, "allocations can be counted with glibc only"))
struct AllocationTests {
    private let loader = FlagsLoader(
        CountedFlags.self,
        providers: [
            MemoryProvider(name: "empty"),
            MemoryProvider(values: [
                "bool": true, "integer": 5, "double": 2.5, "short": "brief",
                "long": "a text that takes more than fifteen bytes", "middle": ["inner": ["deep": true]],
                "point": ["horizontal": 3.5, "vertical": 4.5, "label": "another label beyond fifteen bytes"],
            ]),
        ]
    )

    @Test("but an array does, so the counter counts")
    func control() async {
        var kept: [[Int]] = []
        kept.reserveCapacity(10_000)
        let count = await fewestAllocations { for index in 0..<10 { kept.append(Array(repeating: index, count: 50)) } }
        #expect(count == 10)
    }

    @Test("of a flag of any type")
    func plain() async {
        let loader = loader
        #expect(loader.bool && loader.integer == 5 && loader.double == 2.5 && loader.short == "brief")
        #expect(await fewestAllocations { for _ in 0..<100 { _ = use(loader.bool) } } == 0)
        #expect(await fewestAllocations { for _ in 0..<100 { _ = use(loader.integer) } } == 0)
        #expect(await fewestAllocations { for _ in 0..<100 { _ = use(loader.double) } } == 0)
        #expect(await fewestAllocations { for _ in 0..<100 { _ = use(loader.short) } } == 0)
        #expect(await fewestAllocations { for _ in 0..<100 { _ = use(loader.long) } } == 0)
        #expect(await fewestAllocations { for _ in 0..<100 { _ = use(loader.point) } } == 0)
        #expect(await fewestAllocations { for _ in 0..<100 { _ = use(loader.missing) } } == 0)
    }

    @Test("of a nested flag")
    func nested() async {
        let loader = loader
        #expect(loader.middle.inner.deep)
        #expect(await fewestAllocations { for _ in 0..<100 { _ = use(loader.middle.inner.deep) } } == 0)
    }

    @Test("through a handle that is kept")
    func handle() async {
        let bool = loader.$bool
        let point = loader.$point
        #expect(bool.value && point.value.horizontal == 3.5)
        #expect(await fewestAllocations { for _ in 0..<100 { _ = use(bool.value) } } == 0)
        #expect(await fewestAllocations { for _ in 0..<100 { _ = use(point.value) } } == 0)
    }
}

@Suite("A read through a composed chain allocates nothing", .enabled(if: canCount, "counted with glibc only"))
struct ComposedAllocationTests {
    private let chain = ProviderChain {
        for name in ["overrides", "remote"] { MemoryProvider(name: name) }
        FlagConfiguration(CompositionFlags.self) { enable(\.newCheckout) }
        FlagConfiguration(CompositionFeature.self) { enable(.newCheckout) }
    }

    @Test("of a property")
    func property() async {
        let loader = FlagsLoader(CompositionFlags.self, providers: chain, issueReporter: .silent)
        #expect(loader.newCheckout)
        #expect(await fewestAllocations { for _ in 0..<100 { _ = use(loader.newCheckout) } } == 0)
    }

    @Test("of a feature, by itself and inside a collection")
    func feature() async {
        let loader = FlagsLoader(CompositionFeature.self, providers: chain)
        let outer = FlagsLoader(CompositionFlags.self, providers: chain, issueReporter: .silent)
        #expect(loader.isEnabled(.newCheckout))
        #expect(await fewestAllocations { for _ in 0..<100 { _ = use(loader.isEnabled(.newCheckout)) } } == 0)
        #expect(
            await fewestAllocations { for _ in 0..<100 { _ = use(outer.group.features.isEnabled(.newCheckout)) } } == 0)
    }
}

@Suite("Loaders made and dropped in a loop", .enabled(if: canCount, "memory can be counted with glibc only"))
struct LoaderMemoryTests {
    private func makeAndDrop(_ count: Int, provider: MemoryProvider) -> Int64 {
        let before = tackline_live_bytes()
        for _ in 0..<count {
            let features = FlagsLoader(CompositionFeature.self, providers: [provider], issueReporter: .silent)
            _ = use(features.isEnabled(.newCheckout))
            let loader = FlagsLoader(CountedFlags.self, providers: [provider], issueReporter: .silent)
            _ = use((loader.long, loader.point, loader.middle.inner.deep, loader.$bool))
        }
        return tackline_live_bytes() - before
    }

    @Test("leave no memory behind")
    func noGrowth() async {
        let provider = MemoryProvider(values: ["long": "a text that takes more than fifteen bytes", "bool": true])
        _ = makeAndDrop(100, provider: provider)
        // Less than a byte for each loader: what grows by chance, like a table of weak references, stays below it.
        #expect(makeAndDrop(10_000, provider: provider) < 8_192)
    }

    @Test("are told from something that grows")
    func control() async {
        var kept: [[Int]] = []
        kept.reserveCapacity(100)
        let before = tackline_live_bytes()
        for index in 0..<100 { kept.append(Array(repeating: index, count: 50)) }
        #expect(tackline_live_bytes() - before >= 100 * 50 * 8)
        #expect(kept.count == 100)
    }
}
