import TacklineCore
import TacklineRecording
import TacklineTesting
import TacklineTestSupport
import Testing

@Suite("A replay, as a provider", .hangLimit) struct ConformanceTests {
    @Test("keeps every rule that a loader relies on")
    func conformance() async {
        let steps: [SessionRecording.Step] = [
            .init(at: .zero, key: "flat", value: true, source: .default),
            .init(at: .zero, key: "nested/key", value: 1, source: .default),
        ]
        await FlagProviderConformance(holding: ["flat": true, "nested/key": 1]) {
            SessionReplay(SessionRecording(steps: steps))
        }.expectConformance()
    }
}
