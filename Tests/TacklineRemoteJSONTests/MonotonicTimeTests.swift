import TacklineTestSupport
import Testing

@testable import TacklineRemoteJSON

@Suite("The system's clock, as a provider uses it", .hangLimit) struct MonotonicTimeTests {
    private let time = MonotonicTime(ContinuousClock())

    @Test("ends a sleep when its time has come, and never before")
    func ends() async throws {
        for rest in [Duration.zero, .milliseconds(1), .milliseconds(3)] {
            let end = time.now + rest
            try await time.sleep(until: end)
            #expect(time.now >= end)
        }
    }

    @Test("ends a sleep at once when its task is cancelled")
    func cancelled() async {
        let sleep = Task { [time] in try await time.sleep(until: time.now + .seconds(86_400)) }
        sleep.cancel()
        await #expect(throws: CancellationError.self) { try await sleep.value }
    }
}
