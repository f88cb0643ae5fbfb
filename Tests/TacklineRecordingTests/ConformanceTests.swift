import TacklineCore
import TacklineMemory
import TacklineRecording
import TacklineTestSupport
import TacklineTesting
import Testing

@Suite("A recorded provider, as a provider", .hangLimit) struct ConformanceTests {
    @Test("keeps every rule that a loader relies on")
    func conformance() async {
        let recorder = SessionRecorder()
        let suite = FlagProviderConformance(holding: ["flat/key": true]) {
            recorder.recording(MemoryProvider(values: ["flat/key": true]))
        }
        await suite.expectConformance()
    }
}
