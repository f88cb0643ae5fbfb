import Dispatch
import TacklineClosure
import TacklineCore
import TacklineMemory
import TacklineTesting
import TacklineTestSupport
import Testing

struct ConformanceFlags: FlagCollectionProtocol {
    @Flag(default: true, description: "Alone")
    var alone: Bool
    @FlagCollection(description: "Group")
    var group: ConformanceGroup
}

struct ConformanceGroup: FlagCollectionProtocol {
    @Flag(default: 3, description: "Inside")
    var inside: Int
}

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

    @Test("ClosureProvider, with the part for providers that are read-only and cannot tell changes")
    func computed() async {
        let suite = FlagProviderConformance(holding: ["answer": 42]) {
            ClosureProvider { $0 == "answer" ? 42 : nil }
        }
        await suite.expectConformance()
        #expect(await suite.report().passed == [.name, .absentKeys, .heldValues])
    }

    @Test("FlagSnapshot, with the part for read-only providers")
    func snapshot() async {
        let suite = FlagProviderConformance(holding: ["alone": true, "group/inside": 3]) {
            FlagsLoader(ConformanceFlags.self, providers: []).snapshot()
        }
        await suite.expectConformance()
        #expect(await suite.report().passed == [.name, .absentKeys, .heldValues, .weakObservers])
    }

    @Test("a read-only provider that changes by other means, with the notices checked")
    func changing() async {
        var suite = FlagProviderConformance { PushedProvider() }
        suite.change = { provider, values in (provider as? PushedProvider)?.store.setValues(values) }
        await suite.expectConformance()
        let passed = await suite.report().passed
        #expect(passed.contains(.completeNotices) && passed.contains(.unchangedValues))
    }

    @Test("a provider that notifies a new observer from another thread, and keeps it for as long")
    func notifiesFromAnotherThread() async {
        let suite = FlagProviderConformance { BusyProvider() }
        await suite.expectConformance()
        #expect(await suite.report().passed.contains(.weakObservers))
    }

    @Test("a provider whose write can be made to hang, with that checked too")
    func stuck() async {
        var suite = FlagProviderConformance { SlowStoreProvider() }
        suite.stuckWrite = { provider, whileStuck in
            guard let provider = provider as? SlowStoreProvider else { return }
            try provider.write(true, for: "a/b", whileStuck: whileStuck)
        }
        let report = await suite.report()
        #expect(report.failures == [])
        #expect(!report.skipped.isEmpty)
        #expect(report.passed.contains(.readsDoNotWait))
    }
}

/// Cannot be written to, but changes.
private struct PushedProvider: FlagProvider {
    let store = FlagProviderStore()

    func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }
    func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }
}

/// Has another thread that keeps each observer until a thousand blocks have run.
private struct BusyProvider: FlagProvider {
    private let store = FlagProviderStore()
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

/// Keeps its values somewhere slow.
private struct SlowStoreProvider: WritableFlagProvider {
    private let store = FlagProviderStore()

    func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }
    func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }
    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagError) {
        try write(value, for: key) {}
    }

    func write(
        _ value: EncodedFlagValue?, for key: FlagKeyPath, whileStuck: @Sendable () -> Void
    ) throws(FlagError) {
        _ = try store.update { document throws(FlagError) in
            document.setValue(value, for: key)
        } persist: { _ throws(FlagError) in
            whileStuck()
        }
    }
}
