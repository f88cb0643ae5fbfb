import TacklineRemoteJSON
import TacklineTesting

/// Reads events in order, for a test that waits for certain ones.
struct Events {
    private var iterator: AsyncStream<RemoteJSONEvent>.Iterator

    init(_ provider: RemoteJSONProvider) {
        iterator = provider.events.makeAsyncIterator()
    }

    /// Skips events up to one that meets the condition; `nil` if the stream ends before.
    @discardableResult
    mutating func first(where condition: (RemoteJSONEvent) -> Bool) async -> RemoteJSONEvent? {
        while let event = await iterator.next(isolation: nil) {
            if condition(event) { return event }
        }
        return nil
    }

    @discardableResult
    mutating func next() async -> RemoteJSONEvent? {
        await iterator.next(isolation: nil)
    }
}

extension ManualClock {
    /// Waits until nothing is left to do but to wait for a time in this range.
    func waitForSleep(within range: ClosedRange<Duration>) async throws(CancellationError) {
        try await waitForSleepers { $0.count == 1 && range.contains($0[0]) }
    }
}
