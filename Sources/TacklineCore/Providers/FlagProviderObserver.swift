import Synchronization

/// A changed value of a provider.
public struct FlagProviderChange: Sendable, Equatable {
    /// The key of the value.
    ///
    /// It may be a prefix of the keys of several flags, as when a string replaces an object, or lead into the value of
    /// one flag.
    public var key: FlagKeyPath
    /// The value before, or `nil` if there was none.
    public var old: EncodedFlagValue?
    /// The value now, or `nil` if there is none. Never equal to ``old``.
    public var new: EncodedFlagValue?

    /// Creates a change.
    public init(key: FlagKeyPath, old: EncodedFlagValue?, new: EncodedFlagValue?) {
        (self.key, self.old, self.new) = (key, old, new)
    }
}

/// A provider's notice to its observers.
public enum FlagProviderNotice: Sendable, Equatable {
    /// Changes that were made together, in one commit.
    case changed([FlagProviderChange])
    /// A reset: any value may have changed, and the provider can't say which.
    case reset
    /// Another subject: the values in force were made for another user or another context, and any value may have
    /// changed.
    ///
    /// A loader ends all its pinned values (``FlagUpdatePolicy``). A provider that knows the changes sends them as well,
    /// in a notice of their own.
    case subjectChanged
}

/// A receiver of a provider's notices, for a loader, another provider, or a test.
///
/// A provider notifies an observer under the lock under which it made the change, which keeps notices in order. This is
/// quick and safe: the observer counts and enqueues, and runs no foreign code.
public final class FlagProviderObserver: Sendable {
    package typealias Receiver = @Sendable (FlagProviderNotice, inout PendingResumptions) -> Void
    private let receive: Receiver
    /// The reporter of the loader that has the provider.
    public let issueReporter: FlagIssueReporter
    private let endHandlers = Mutex<[@Sendable () -> Void]>([])

    /// - Parameter receive: Must neither block nor call a provider. It adds waiting tasks to the pending
    ///   resumptions instead of resuming them.
    package init(reporter: FlagIssueReporter = .silent, receive: @escaping Receiver) {
        (issueReporter, self.receive) = (reporter, receive)
    }

    deinit { for handler in endHandlers.withLock({ $0 }) { handler() } }

    /// Creates an observer whose notices are read from a stream.
    ///
    /// The stream keeps every notice until it is read, so read it or release it. It ends when the observer is
    /// deallocated. Providers hold observers weakly, so keep the observer for as long as you want notices.
    public static func makeStream() -> (observer: FlagProviderObserver, notices: AsyncStream<FlagProviderNotice>) {
        let (notices, continuation) = AsyncStream.makeStream(of: FlagProviderNotice.self)
        let observer = FlagProviderObserver { notice, _ in _ = continuation.yield(notice) }
        observer.onEnd { continuation.finish() }
        return (observer, notices)
    }

    /// Sends a notice that values changed in one commit. Does nothing if `changes` is empty.
    public func valuesChanged(_ changes: [FlagProviderChange]) {
        if !changes.isEmpty { send(.changed(changes)) }
    }

    /// Sends a notice that any value may have changed, for a provider that can't say which.
    public func valuesMayHaveChanged() { send(.reset) }

    /// Sends a notice that the values in force were made for another user or another context.
    ///
    /// Send it once no value of the former subject is given out any more. See ``FlagProviderNotice/subjectChanged``.
    public func subjectChanged() { send(.subjectChanged) }

    /// Passes an issue to the loader's reporter, for failures that can't be thrown to a caller.
    ///
    /// Hold no lock when you call it, because it runs foreign code.
    public func report(_ issue: FlagError) { issueReporter.report(issue) }

    private func send(_ notice: FlagProviderNotice) {
        var pending = PendingResumptions()
        send(notice, pending: &pending)
        pending.resume()
    }

    /// Sends a notice. The caller resumes the waiting consumers after it has unlocked.
    func send(_ notice: FlagProviderNotice, pending: inout PendingResumptions) {
        receive(notice, &pending)
    }

    /// Adds a closure that is called once when the observer is deallocated, so that a provider can release its source.
    ///
    /// The closure is called on the thread that releases the observer last. A provider that loads observers from weak
    /// references must keep them until it has unlocked, or the closure may run under its lock. ``FlagProviderStore``
    /// does so.
    public func onEnd(_ action: @escaping @Sendable () -> Void) { endHandlers.withLock { $0.append(action) } }
}

/// The tasks that wait for a change. They are resumed after the locks under which it was announced are released.
///
/// A task that is resumed earlier asks the provider at once, from another thread, and has to wait for the lock. The
/// wait costs several times as much as the resumption.
package struct PendingResumptions: ~Copyable {
    private var changes: [FlagPromise<Void>] = []

    package init() {}

    package mutating func add(_ change: FlagPromise<Void>) { changes.append(change) }

    package consuming func resume() { for change in changes { change.resolve(()) } }
}
