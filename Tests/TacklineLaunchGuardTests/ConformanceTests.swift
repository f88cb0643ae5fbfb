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
}
