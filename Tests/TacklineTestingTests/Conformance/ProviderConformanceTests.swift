import Dispatch
import TacklineClosure
import TacklineCore
import TacklineMemory
import TacklineTesting
import TacklineTestSupport
import Testing

@Suite("The provider conformance suite passes", .hangLimit)
struct ProviderConformanceTests {
    @Test("MemoryProvider, and skips nothing but the stuck write and refreshes")
    func memory() async {
        let suite = FlagProviderConformance(holding: ["flat/key": true, "nested/key": 1, "both/key": "flat"]) {
            MemoryProvider(values: [
                "flat/key": true, "nested": ["key": 1], "both/key": "flat", "both": ["key": "nested"],
            ])
        }
        let report = await suite.report()
        #expect(report.failures == [])
        #expect(report.skipped.map(\.check) == [.readsDoNotWait, .refreshedKeys])
    }

    @Test("read-only providers, with the part for those, whether they can tell changes or not")
    func readOnly() async {
        let closure = FlagProviderConformance(holding: ["answer": 42]) { ClosureProvider { $0 == "answer" ? 42 : nil } }
        let snapshot = FlagProviderConformance(holding: ["limit": 3, "secrets/boom_feature": false]) {
            FlagsLoader(AppFlags.self, providers: []).snapshot()
        }
        for (suite, isObserved) in [(closure, false), (snapshot, true)] {
            let report = await suite.report()
            #expect(report.failures == [])
            #expect(report.passed == [.name, .absentKeys, .heldValues] + (isObserved ? [.weakObservers] : []))
        }
    }

    @Test("a provider that changes by other means, also if its writes can be made to hang and its observers live on")
    func changing() async {
        var suite = FlagProviderConformance { PushedProvider() }
        suite.change = { provider, values in (provider as? PushedProvider)?.store.setValues(values) }
        suite.stuckWrite = { provider, whileStuck in
            (provider as? PushedProvider)?.store.update {
                $0.setValue(true, for: "a/b")
            } persist: { _ in
                whileStuck()
            }
        }
        let report = await suite.report()
        #expect(report.failures == [])
        let checks: [FlagProviderCheck] = [.completeNotices, .unchangedValues, .weakObservers, .readsDoNotWait]
        #expect(checks.allSatisfy(report.passed.contains))
    }
}

/// Can't be written to, but changes. Another thread keeps each observer until a thousand blocks have run.
private struct PushedProvider: FlagProvider {
    let store = FlagProviderStore()
    private let queue = DispatchQueue(label: "tackline.tests.busy")

    func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }

    func observe(_ observer: FlagProviderObserver) -> Bool {
        keep(observer, for: 1000)
        return store.observe(observer)
    }

    private func keep(_ observer: FlagProviderObserver, for blocks: Int) {
        queue.async { if blocks > 0 { keep(observer, for: blocks - 1) } }
    }
}
