/// Someone who is told a provider's changes: a loader, a wrapper, a test.
///
/// Telling is quick and safe while the provider holds its lock: it bumps counters and enqueues, and runs no code of
/// anybody else's. Providers call it under the lock under which they made the change; that is what keeps notices in
/// order.
public final class FlagProviderObserver: Sendable {
    private let receive: @Sendable (FlagProviderNotice, inout FlagWakes) -> Void

    /// Makes an observer around a closure of our own, which must neither block nor call back into a provider.
    ///
    /// - Parameter receive: Takes a notice, and adds those who wait for it instead of waking them.
    package init(receive: @escaping @Sendable (FlagProviderNotice, inout FlagWakes) -> Void) {
        self.receive = receive
    }

    /// Makes an observer whose notices are read from a stream.
    ///
    /// The stream keeps every notice until it is read, so read it or drop it. It ends when the observer is gone; keep
    /// the observer as long as you want notices, since providers hold it weakly.
    public static func makeStream() -> (observer: FlagProviderObserver, notices: AsyncStream<FlagProviderNotice>) {
        let (stream, continuation) = AsyncStream.makeStream(of: FlagProviderNotice.self)
        let ending = StreamEnding(continuation: continuation)
        let observer = FlagProviderObserver { notice, _ in _ = ending.continuation.yield(notice) }
        return (observer, stream)
    }

    /// Tells values that changed in one commit. An empty list tells nothing.
    public func valuesChanged(_ changes: [FlagProviderChange]) {
        guard !changes.isEmpty else { return }
        tell(.changed(changes))
    }

    /// Tells that any value may have changed, when the provider cannot say which.
    public func valuesMayHaveChanged() {
        tell(.reset)
    }

    private func tell(_ notice: FlagProviderNotice) {
        var wakes = FlagWakes()
        receive(notice, &wakes)
        wakes.wake()
    }

    /// Tells values that changed in one commit, and leaves it to the caller to wake who waits once its lock is free.
    func valuesChanged(_ changes: [FlagProviderChange], waking wakes: inout FlagWakes) {
        receive(.changed(changes), &wakes)
    }
}

/// Finishes a stream when the closure that feeds it is gone.
private final class StreamEnding: Sendable {
    let continuation: AsyncStream<FlagProviderNotice>.Continuation

    init(continuation: AsyncStream<FlagProviderNotice>.Continuation) {
        self.continuation = continuation
    }

    deinit {
        continuation.finish()
    }
}
