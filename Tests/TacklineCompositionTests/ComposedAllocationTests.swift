import CAllocationCounter
import TacklineComposition
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

private let canCount = tackline_allocation_count() >= 0

/// Returns the number of allocations of `work`, which is run once before to fill caches.
///
/// Call it in a process of its own, because a scope of any other test turns the caches of all loaders off.
@inline(never)
private func allocations(_ work: () -> Void) -> Int64 {
    work()
    let before = tackline_allocation_count()
    work()
    return tackline_allocation_count() - before
}

/// Uses a value, so that the compiler keeps the code that makes it.
@inline(never)
private func use<Value>(_ value: Value) -> Bool {
    withExtendedLifetime(value) { true }
}

@Suite(
    "A read through a composed chain", .hangLimit, .enabled(if: canCount, "counted with glibc only"))
struct ComposedAllocationTests {
    @Test("allocates nothing for a property and for a feature, alone or in a collection")
    func composed() async {
        await #expect(processExitsWith: .success) {
            let chain: [any FlagProvider] = [
                MemoryProvider(name: "overrides"), MemoryProvider(name: "remote"),
                FlagConfiguration(CompositionFlags.self) { $0.enable(\.newCheckout) },
                FlagConfiguration(CompositionFeature.self) { $0.enable(.newCheckout) },
            ]
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
