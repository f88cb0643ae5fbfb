import TacklineCore
import TacklineMemory
import TacklineRecording
import TacklineTestSupport
import TacklineTesting
import Testing

@Suite("A provider with a shadow, as a provider", .hangLimit) struct ShadowConformanceTests {
    @Test("keeps every rule that a loader relies on")
    func conformance() async {
        let suite = FlagProviderConformance(holding: ["flat/key": true]) {
            ShadowProvider(MemoryProvider(values: ["flat/key": true]), shadow: MemoryProvider())
        }
        await suite.expectConformance()
    }
}
