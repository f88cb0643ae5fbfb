import Synchronization

/// One changed value of a provider.
public struct FlagProviderChange: Sendable, Hashable {
    /// The key of the value. It may be a prefix of the keys of several flags, as when a string replaces an object, or lead
    /// into the value of one flag.
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
public enum FlagProviderNotice: Sendable, Equatable {
    /// These values changed together, in one commit.
    case changed([FlagProviderChange])
    /// Any value may have changed; the provider cannot say which.
    case reset
}

/// A notice in the form that observers receive. Nearly every one is a single change, for which no array is allocated.
package enum FlagProviderNews: Sendable {
    case one(FlagProviderChange)
    case several([FlagProviderChange])
    case reset

    package var notice: FlagProviderNotice {
        switch self {
        case .one(let change): .changed([change])
        case .several(let changes): .changed(changes)
        case .reset: .reset
        }
    }
}

/// Receives the changes of a provider, for a loader, a wrapper or a test.
///
/// Providers tell an observer under the lock under which they made the change, which keeps notices in order. That is
/// quick and safe: telling counts and enqueues, and runs no foreign code.
public final class FlagProviderObserver: Sendable {
    package typealias Receiver = @Sendable (FlagProviderNews, inout FlagWakes) -> Void
    private let receive: Receiver
    private let reporter: FlagIssueReporter
    private let blindness = Atomic<Bool>(false)
    private let endings = Mutex<[@Sendable () -> Void]>([])

    /// - Parameter receive: Must neither block nor call a provider. It adds those who wait for the news to the wakes, and
    ///   does not wake them.
    package init(reporter: FlagIssueReporter = .silent, receive: @escaping Receiver) {
        (self.reporter, self.receive) = (reporter, receive)
    }

    deinit { for ending in endings.withLock({ $0 }) { ending() } }

    /// Makes an observer whose notices are read from a stream.
    ///
    /// The stream keeps every notice until it is read, so read it or drop it. It ends when the observer is deallocated:
    /// keep the observer as long as you want notices, since providers hold it weakly.
    public static func makeStream() -> (observer: FlagProviderObserver, notices: AsyncStream<FlagProviderNotice>) {
        let (notices, continuation) = AsyncStream.makeStream(of: FlagProviderNotice.self)
        let observer = FlagProviderObserver { news, _ in _ = continuation.yield(news.notice) }
        observer.onEnd { continuation.finish() }
        return (observer, notices)
    }

    /// Announces values that changed in one commit. Does nothing if there are none.
    public func valuesChanged(_ changes: [FlagProviderChange]) {
        guard !changes.isEmpty else { return }
        tell(.several(changes))
    }

    /// Announces that any value may have changed, for when the provider cannot say which.
    public func valuesMayHaveChanged() { tell(.reset) }

    /// Announces that the provider cannot tell its changes, or not all of them, so that it has to be asked at each read.
    ///
    /// This cannot be undone. A loader checks it when ``ObservableFlagProvider/observe(_:)`` returns.
    public func cannotTellChanges() { blindness.store(true, ordering: .releasing) }

    /// Passes an issue to the loader's reporter, where no caller can be told. Hold no lock meanwhile: it runs foreign code.
    public func report(_ issue: FlagIssue) { reporter.report(issue) }
    package var isBlind: Bool { blindness.load(ordering: .acquiring) }

    private func tell(_ news: FlagProviderNews) {
        var wakes = FlagWakes()
        receive(news, &wakes)
        wakes.wake()
    }

    /// Announces news; the caller wakes those who wait when its lock is free.
    func tell(_ news: FlagProviderNews, waking wakes: inout FlagWakes) { receive(news, &wakes) }

    /// Adds a closure that is called once, when the observer is deallocated, so that a provider can release its source when
    /// nobody listens any more.
    ///
    /// It is called on the thread that releases the observer last. A provider that loads observers from weak references
    /// has to keep them until it has unlocked, or the closure may run under its lock; ``FlagProviderStore`` does so.
    public func onEnd(_ action: @escaping @Sendable () -> Void) { endings.withLock { $0.append(action) } }
}

/// A consumer that waits for notices.
package protocol FlagWaking: AnyObject, Sendable {
    /// Resumes the task that waits, if any. Does not run it on this thread.
    func wake()
}

/// Consumers to wake when the locks are free under which a change was announced.
///
/// A task that is woken earlier asks the provider at once, from another thread, and sleeps again until the lock is free,
/// which costs several times what waking it does.
package struct FlagWakes: ~Copyable {
    private var waiting: [any FlagWaking] = []

    package init() {}

    package mutating func add(_ waker: any FlagWaking) { waiting.append(waker) }

    package consuming func wake() { for waker in waiting { waker.wake() } }
}
