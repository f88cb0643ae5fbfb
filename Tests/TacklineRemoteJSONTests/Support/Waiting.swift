import Synchronization
import TacklineTestSupport
import TacklineTesting

@testable import TacklineRemoteJSON

extension RemoteJSONProvider {
    /// Waits until so many tasks wait for the request, or for the next one.
    func waitForFetchWaiters(count: Int) async throws {
        try await wait {
            let callers = refresher.read { [$0.request, $0.next].map { $0?.callers.load(ordering: .relaxed) ?? 0 } }
            return callers[0] + callers[1] >= count
        }
    }
}

extension ManualClock {
    /// Waits until nothing is left to do but to wait for a time in this range.
    func waitForSleep(within range: ClosedRange<Duration>) async throws(CancellationError) {
        try await waitForSleepers { $0.count == 1 && range.contains($0[0]) }
    }
}
