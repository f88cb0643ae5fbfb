import CAllocationCounter
import TacklineComposition
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

private let canCount = tackline_allocation_count() >= 0

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
            let reads = [
                { loader.newCheckout }, { feature.isEnabled(.newCheckout) },
                { loader.group.features.isEnabled(.newCheckout) },
            ]
            for read in reads {
                // It fills the caches. In a process of its own, because a scope of any other test turns them off.
                _ = read()
                let before = tackline_allocation_count()
                for _ in 0..<100 { _ = read() }
                #expect(tackline_allocation_count() == before)
            }
        }
    }
}
