import Foundation
import TacklineCore
import TacklineLaunchGuard
import TacklineMemory
import TacklineTestSupport
import TacklineTesting
import Testing

@Suite("A guarded provider, as a provider", .hangLimit) struct ConformanceTests {
    @Test("keeps every rule that a loader relies on")
    func conformance() async throws {
        let folder = try TemporaryFolder()
        var options = LaunchGuard.Options()
        options.healthyAfter = nil
        let launches = LaunchGuard(folder: folder.url, options: options)
        launches.markHealthy()
        let suite = FlagProviderConformance(holding: ["flat/key": true, "nested/key": 1]) {
            launches.guarding(MemoryProvider(values: ["flat/key": true, "nested": ["key": 1]]))
        }
        await suite.expectConformance()
    }

    @Test("tells no older values after newer ones, however long its provider takes to hand out its document")
    func order() async throws {
        let folder = try TemporaryFolder()
        var options = LaunchGuard.Options()
        options.healthyAfter = nil
        let launches = LaunchGuard(folder: folder.url, options: options)
        launches.markHealthy()
        let failures = await FlagProviderConformance { launches.guarding(HesitantProvider()) }.failures()
        #expect(failures.isEmpty)
    }
}

/// Lets other threads go first between looking at its document and handing it out.
private final class HesitantProvider: WritableFlagProvider {
    private let memory = MemoryProvider()

    var document: FlagDocument? {
        let document = memory.document
        for _ in 0..<3 { sched_yield() }
        return document
    }

    func value(for key: FlagKeyPath) -> EncodedFlagValue? { memory.value(for: key) }

    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagProviderError) {
        memory.setValue(value, for: key)
    }

    func observe(_ observer: FlagProviderObserver) -> Bool { memory.observe(observer) }
}
