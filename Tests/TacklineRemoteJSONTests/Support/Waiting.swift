import Synchronization
import TacklineTestSupport
import TacklineTesting

@testable import TacklineRemoteJSON

extension RemoteJSONProvider {
    private var waiters: Int {
        refresher.read { [$0.request, $0.next].reduce(0) { $0 + ($1?.callers.load(ordering: .relaxed) ?? 0) } }
    }

    /// Waits until so many tasks wait for the request.
    func waitForFetchWaiters(count: Int) async throws { try await wait { waiters >= count } }
}

extension ManualClock {
    /// Waits until nothing is left to do but to wait for a time in this range.
    func waitForSleep(within range: ClosedRange<Duration>) async throws(CancellationError) {
        try await waitForSleepers { $0.count == 1 && range.contains($0[0]) }
    }
}
