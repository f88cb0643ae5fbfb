import Synchronization

/// One changed value of a provider.
public struct FlagProviderChange: Sendable, Hashable {
    /// Where the value stands.
    ///
    /// It may lead to several flags, as when an object is replaced by a text, or into the value of one.
    public var key: FlagKeyPath
    /// The value before, or `nil` if there was none.
    public var old: EncodedFlagValue?
    /// The value now, or `nil` if there is none. Never equal to ``old``.
    public var new: EncodedFlagValue?

    /// Makes a change.
    public init(key: FlagKeyPath, old: EncodedFlagValue?, new: EncodedFlagValue?) {
        self.key = key
        self.old = old
        self.new = new
    }
}

/// What a provider tells its observers.
public enum FlagProviderNotice: Sendable, Hashable {
    /// These values changed together, in one commit.
    case changed([FlagProviderChange])
    /// Any value may have changed; the provider cannot say which.
    case reset
}

/// Someone who is told a provider's changes: a loader, a wrapper, a test.
///
/// Telling is quick and safe while the provider holds its lock: it bumps counters and enqueues, and runs no code of
/// anybody else's. Providers call it under the lock under which they made the change; that is what keeps notices in
/// order.
public final class FlagProviderObserver: Sendable {
    private let receive: @Sendable (FlagProviderNotice, inout FlagWakes) -> Void
    private let endings = Mutex<[@Sendable () -> Void]>([])

    /// Makes an observer around a closure of our own, which must neither block nor call back into a provider.
    ///
    /// - Parameter receive: Takes a notice, and adds those who wait for it instead of waking them.
    package init(receive: @escaping @Sendable (FlagProviderNotice, inout FlagWakes) -> Void) {
        self.receive = receive
    }

    deinit {
        for ending in endings.withLock({ $0 }) { ending() }
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

    /// Adds a closure that is called once, when the observer is gone: how a provider learns that nobody listens any
    /// more, and that it may let go of its source.
    ///
    /// It is called on whichever thread lets go of the observer last. A provider that loads observers from weak
    /// references keeps them until it has unlocked, so that this is never a thread that holds its lock;
    /// ``FlagProviderStore`` does.
    public func onEnd(_ action: @escaping @Sendable () -> Void) {
        endings.withLock { $0.append(action) }
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

/// Someone who waits for notices and can be woken.
package protocol FlagWaking: AnyObject, Sendable {
    /// Lets whoever waits go on, on a thread of their own. Does nothing if nobody waits.
    func wake()
}

/// Who is to be woken once the locks are free under which a change is told.
///
/// A task that is woken under a provider's lock asks that provider at once, from another thread, and then sleeps again
/// until the lock is free: that costs several times what the wake itself does.
package struct FlagWakes: ~Copyable {
    private var waiting: [any FlagWaking] = []

    package init() {}

    package mutating func add(_ waker: any FlagWaking) {
        waiting.append(waker)
    }

    /// Wakes them all.
    package consuming func wake() {
        for waker in waiting { waker.wake() }
    }
}
