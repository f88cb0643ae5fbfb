import Synchronization
import TacklineTesting

@testable import TacklineRemoteJSON

/// Reads the outcomes of requests in order, for a test that waits for certain ones.
struct Outcomes {
    private var iterator: AsyncStream<Refresher.Outcome>.Iterator

    init(_ provider: RemoteJSONProvider) { iterator = provider.refresher.outcomes.makeAsyncIterator() }

    /// Waits for the next one.
    ///
    /// - Throws: `CancellationError` if the task is cancelled, or the provider gone, before that.
    mutating func next() async throws(CancellationError) -> Refresher.Outcome {
        guard let outcome = await iterator.next(isolation: nil) else { throw CancellationError() }
        return outcome
    }
}

/// Waits until a condition is met.
func wait(until isMet: () -> Bool) async throws {
    while !isMet() {
        try Task.checkCancellation()
        await Task.yield()
    }
}

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
