import TacklineTesting

@testable import TacklineRemoteJSON

/// Reads events in order, for a test that waits for certain ones.
struct Events {
    private var iterator: AsyncStream<RemoteJSONEvent>.Iterator

    init(_ provider: RemoteJSONProvider) {
        iterator = provider.events.makeAsyncIterator()
    }

    /// Skips events up to one that meets the condition.
    ///
    /// - Throws: `CancellationError` if the task is cancelled, or the provider gone, before that.
    @discardableResult
    mutating func first(
        where condition: (RemoteJSONEvent) -> Bool
    ) async throws(CancellationError) -> RemoteJSONEvent {
        while true {
            let event = try await next()
            if condition(event) { return event }
        }
    }

    /// Waits for the next event; throws as ``first(where:)`` does.
    @discardableResult
    mutating func next() async throws(CancellationError) -> RemoteJSONEvent {
        guard let event = await iterator.next(isolation: nil) else { throw CancellationError() }
        return event
    }
}

extension RemoteJSONProvider {
    private var waiters: Int {
        let machine = driver.machine
        return [machine.request, machine.nextRequest].reduce(0) { sum, request in
            sum + (request.map { $0.waiters + ($0.isOwn ? 1 : 0) } ?? 0)
        }
    }

    /// Waits until so many tasks wait for the request on its way, and for the one after it.
    func waitForFetchWaiters(count: Int) async throws(CancellationError) {
        while waiters < count {
            if Task.isCancelled { throw CancellationError() }
            await Task.yield()
        }
    }
}

extension ManualClock {
    /// Waits until nothing is left to do but to wait for a time in this range.
    func waitForSleep(within range: ClosedRange<Duration>) async throws(CancellationError) {
        try await waitForSleepers { $0.count == 1 && range.contains($0[0]) }
    }
}
