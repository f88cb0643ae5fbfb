import TacklineTesting

@testable import TacklineRemoteJSON

/// Reads events in order, for a test that waits for certain ones.
struct Events {
    private var iterator: AsyncStream<RemoteEvent>.Iterator

    init(_ provider: RemoteJSONProvider) { iterator = provider.refresher.events.makeAsyncIterator() }

    /// Skips events up to one that meets the condition.
    ///
    /// - Throws: `CancellationError` if the task is cancelled, or the provider gone, before that.
    @discardableResult
    mutating func first(where condition: (RemoteEvent) -> Bool) async throws(CancellationError) -> RemoteEvent {
        while let event = await iterator.next(isolation: nil) {
            if condition(event) { return event }
        }
        throw CancellationError()
    }

    /// Waits for the next event that is no mere line for the log.
    @discardableResult
    mutating func next() async throws(CancellationError) -> RemoteEvent {
        try await first { if case .note = $0 { false } else { true } }
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
    private var waiters: Int { refresher.read { $0.request?.callers ?? 0 } }

    /// Waits until so many tasks wait for the request.
    func waitForFetchWaiters(count: Int) async throws { try await wait { waiters >= count } }
}

extension ManualClock {
    /// Waits until nothing is left to do but to wait for a time in this range.
    func waitForSleep(within range: ClosedRange<Duration>) async throws(CancellationError) {
        try await waitForSleepers { $0.count == 1 && range.contains($0[0]) }
    }
}
