import Synchronization

/// A source of elements for any number of streams, each of which gets every element from its creation on.
///
/// ```swift
/// private let broadcast = FlagBroadcast<ConnectionEvent>(bufferLimit: 100)
/// package var events: AsyncStream<ConnectionEvent> { broadcast.makeStream() }
/// ```
///
/// You can use it from any thread. The streams end with the broadcast.
package final class FlagBroadcast<Element: Sendable>: Sendable {
    private struct State {
        var lastStream = 0
        var streams: [Int: AsyncStream<Element>.Continuation] = [:]
        var isFinished = false
    }

    private let state = Mutex(State())
    /// The numbers of the streams that have ended. Their lock is not that of the state, because the system may report the
    /// end of a stream while it holds a lock that sending an element to the same task needs.
    private let ended = Mutex<[Int]>([])
    private let bufferLimit: Int

    /// Creates a broadcast without streams.
    ///
    /// - Parameter bufferLimit: The number of elements that wait for a slow consumer. The oldest are dropped first.
    package init(bufferLimit: Int) { self.bufferLimit = bufferLimit }

    deinit { finish() }

    /// Whether there are no streams at present.
    package var isEmpty: Bool { withStreams { $0.streams.isEmpty } }

    /// Returns a stream of the elements that are sent from now on. After ``finish()``, the stream has ended already.
    package func makeStream(beginningWith first: Element? = nil) -> AsyncStream<Element> {
        makeStream(beginningWith: first, limit: .max) ?? AsyncStream { $0.finish() }
    }

    /// Returns a stream of the elements that are sent from now on.
    ///
    /// - Parameters:
    ///   - first: The element with which the stream begins, or `nil` for none.
    ///   - limit: The largest number of streams.
    ///   - onEnd: A closure that is called when the stream ends.
    /// - Returns: The stream; `nil` if there are too many, or after ``finish()``.
    package func makeStream(
        beginningWith first: Element?, limit: Int, onEnd: @escaping @Sendable () -> Void = {}
    ) -> AsyncStream<Element>? {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Element.self, bufferingPolicy: .bufferingNewest(bufferLimit))
        return withStreams { state in
            guard state.streams.count < limit, !state.isFinished else { return nil }
            state.lastStream += 1
            continuation.onTermination = { [weak self, number = state.lastStream] _ in
                self?.ended.withLock { $0.append(number) }
                onEnd()
            }
            state.streams[state.lastStream] = continuation
            if let first { continuation.yield(first) }
            return stream
        }
    }

    /// Sends an element to every stream.
    ///
    /// It only enqueues, so you may call it under a lock. All streams get the elements in the order of the calls.
    package func send(_ element: Element) {
        withStreams { state in
            for stream in state.streams.values { stream.yield(element) }
        }
    }

    /// Ends all streams after the elements that were sent. There are no new ones afterwards.
    package func finish() {
        let streams = state.withLock { state in
            state.isFinished = true
            defer { state.streams = [:] }
            return state.streams
        }
        for stream in streams.values { stream.finish() }
    }

    /// Runs `body` under the lock, after the streams that have ended were removed.
    private func withStreams<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let ended = ended.withLock { ended in
            defer { ended = [] }
            return ended
        }
        return state.withLock { state in
            for number in ended { state.streams[number] = nil }
            return body(&state)
        }
    }
}
