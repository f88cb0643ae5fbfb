import CAllocationCounter
import TacklineComposition
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

private let canCount = tackline_allocation_count() >= 0

/// How many allocations some work makes. It is run once before that, which fills caches.
///
/// For processes of its own: a scope that any test of this process is in turns the caches of all loaders off.
@inline(never)
private func allocations(_ work: () -> Void) -> Int64 {
    work()
    let before = tackline_allocation_count()
    work()
    return tackline_allocation_count() - before
}

/// Makes a value count as used.
@inline(never)
private func use<Value>(_ value: Value) -> Bool {
    withExtendedLifetime(value) { true }
}

@Suite(
    "A read through a composed chain allocates nothing", .hangLimit, .enabled(if: canCount, "counted with glibc only"))
struct ComposedAllocationTests {
    private static func chain() -> ProviderChain {
        ProviderChain {
            for name in ["overrides", "remote"] { MemoryProvider(name: name) }
            FlagConfiguration(CompositionFlags.self) { enable(\.newCheckout) }
            FlagConfiguration(CompositionFeature.self) { enable(.newCheckout) }
        }
    }

    @Test("of a property, and of a feature by itself and inside a collection")
    func composed() async {
        await #expect(processExitsWith: .success) {
            let chain = ComposedAllocationTests.chain()
            let feature = FlagsLoader(CompositionFeature.self, providers: chain)
            let loader = FlagsLoader(CompositionFlags.self, providers: chain, issueReporter: .silent)
            #expect(loader.newCheckout && feature.isEnabled(.newCheckout))
            #expect(allocations { for _ in 0..<100 { _ = use(loader.newCheckout) } } == 0)
            #expect(allocations { for _ in 0..<100 { _ = use(feature.isEnabled(.newCheckout)) } } == 0)
            #expect(
                allocations { for _ in 0..<100 { _ = use(loader.group.features.isEnabled(.newCheckout)) } } == 0)
        }
    }
}
