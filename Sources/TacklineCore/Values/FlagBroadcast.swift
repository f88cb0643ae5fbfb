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
    /// A stream without a consumer says so by `hasEnded` and takes no lock, because the system may report the end while it
    /// holds a lock that sending an element to the same task needs.
    private final class Stream: Sendable {
        let continuation: AsyncStream<Element>.Continuation
        let hasEnded = Atomic(false)

        init(_ continuation: AsyncStream<Element>.Continuation) { self.continuation = continuation }
    }

    private let streams = Mutex<[Stream]?>([])
    private let bufferLimit: Int

    /// - Parameter bufferLimit: The number of elements that wait for a slow consumer. The oldest are dropped first.
    package init(bufferLimit: Int) { self.bufferLimit = bufferLimit }

    deinit { finish() }

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
        let (elements, continuation) = AsyncStream.makeStream(
            of: Element.self, bufferingPolicy: .bufferingNewest(bufferLimit))
        return streams.withLock { streams in
            streams?.removeAll { $0.hasEnded.load(ordering: .relaxed) }
            guard let count = streams?.count, count < limit else { return nil }
            let stream = Stream(continuation)
            continuation.onTermination = { [weak stream] _ in
                stream?.hasEnded.store(true, ordering: .relaxed)
                onEnd()
            }
            streams?.append(stream)
            if let first { continuation.yield(first) }
            return elements
        }
    }

    /// Sends an element to every stream.
    ///
    /// It only enqueues, so you may call it under a lock. All streams get the elements in the order of the calls.
    package func send(_ element: Element) {
        streams.withLock { streams in streams?.forEach { $0.continuation.yield(element) } }
    }

    /// Ends all streams after the elements that were sent. There are no new ones afterwards.
    package func finish() { streams.withLock { $0.take() }?.forEach { $0.continuation.finish() } }
}
