import Synchronization

/// Storage for the values and observers of a provider, behind one lock.
///
/// Build providers on a store (``FlagProvider`` has an example). It commits a change and notifies observers of it in
/// one step, so notices arrive in the order of the changes. An unchanged value sends no notice. A read never waits for
/// a slow write. Call a store from any thread. It is a reference: copies of a provider that is a struct share it.
public final class FlagProviderStore: Sendable {
    private struct State {
        var document: FlagDocument
        var observers = WeakList<FlagProviderObserver>()
    }

    /// Its lock is held only to look a value up, or to replace values and notify observers.
    private let state: Mutex<State>
    /// Held during a whole write, so that writers wait for each other and readers wait for no writer.
    private let writers = Mutex<Void>(())

    /// Creates a store that holds the given values.
    public init(_ document: FlagDocument = FlagDocument()) { state = Mutex(State(document: document)) }

    /// All values as of now.
    public var document: FlagDocument { state.withLock { $0.document } }

    /// Returns the value for a key, or `nil` if there is none.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? { state.withLock { $0.document.value(for: key) } }

    /// Adds an observer, which is held weakly.
    ///
    /// - Returns: Always `true`: the store notifies its observers of every change.
    @discardableResult
    public func observe(_ observer: FlagProviderObserver) -> Bool {
        let observers = state.withLock { state in
            defer { state.observers.append(observer) }
            return state.observers.strong()
        }
        withExtendedLifetime(observers) {}
        return true
    }

    /// Notifies observers that any value may have changed, though the document is the same.
    public func announceReset() {
        state.withLock { $0.observers.strong() }.forEach { $0.valuesMayHaveChanged() }
    }

    /// Notifies observers that the values in force were made for another user or another context, though the document is
    /// the same.
    public func announceSubjectChange() {
        write { commit in publish(&commit, isOtherSubject: true) { _, _ in } }
    }

    /// Reports an issue to the loaders that have the provider, once to each of their reporters until it is resolved. Hold
    /// no lock when you call it.
    ///
    /// A loader that observes the provider later doesn't receive it.
    public func report(_ issue: FlagError) {
        state.withLock { $0.observers.strong() }.forEach { $0.report(issue) }
    }

    /// Forgets the issues of a code, a key and a provider whose cause has gone, so that they are reported if it comes
    /// back. See ``FlagIssueReporter/resolve(_:key:provider:)``.
    public func resolve(_ code: FlagError.Code, key: FlagKeyPath? = nil, provider: String? = nil) {
        state.withLock { $0.observers.strong() }.forEach {
            $0.issueReporter.resolve(code, key: key, provider: provider)
        }
    }

    /// Sets a value, or removes it if it is `nil`, and notifies observers if it changed.
    public func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) {
        write { commit in
            publish(&commit) { document, changes in
                if let change = document.change(key, to: value) { changes = [change] }
            }
        }
    }

    /// Sets several values in one commit. A value that is `nil` is removed.
    ///
    /// - Returns: The changes that were announced, sorted by key.
    @discardableResult
    public func setValues(_ values: [FlagKeyPath: EncodedFlagValue?]) -> [FlagProviderChange] {
        write { commit in
            publish(&commit) { document, changes in
                changes = values.compactMap { document.change($0.key, to: $0.value) }
                changes.sort { $0.key.text.precedes($1.key.text) }
            }
        }
    }

    /// Replaces the whole document in one commit.
    ///
    /// - Parameters:
    ///   - new: The document.
    ///   - isOtherSubject: Whether the values were made for another user or another context. Then observers are notified
    ///     of that too, even if all values are the same.
    /// - Returns: The changes that were announced.
    @discardableResult
    public func replaceDocument(with new: FlagDocument, isOtherSubject: Bool = false) -> [FlagProviderChange] {
        write { commit in publish(&commit, isOtherSubject: isOtherSubject, new) }
    }

    /// Edits the document, and puts the new one in force after `persist` has stored it.
    ///
    /// - Parameters:
    ///   - change: Edits a copy of the current document. Other writers wait meanwhile, readers don't.
    ///   - persist: Stores the new document, in a file for example, before it is in force. It isn't called if nothing
    ///     changed. A closure that writes to this store deadlocks.
    /// - Returns: The changes that were announced.
    /// - Throws: The error of a closure. Nothing has changed then.
    @discardableResult
    public func update<Failure: Error>(
        _ change: (inout FlagDocument) throws(Failure) -> Void, persist: (FlagDocument) throws(Failure) -> Void
    ) throws(Failure) -> [FlagProviderChange] {
        try write { commit throws(Failure) in
            let old = document
            var new = old
            try change(&new)
            guard new != old else { return }
            try persist(new)
            publish(&commit, new)
        }
    }

    // MARK: Commits

    /// A commit with what is released after the locks, because the last reference to a value or to an observer may run
    /// foreign code, and an executor may run a resumed task at once.
    private struct Commit: ~Copyable {
        var changes: [FlagProviderChange] = []
        var replaced: FlagDocument?
        var observers: WeakList<FlagProviderObserver>.Kept = (nil, [])
        var pending = PendingResumptions()
    }

    /// Runs a write, in which one of the methods below publishes a commit, and returns the changes that were announced.
    @discardableResult
    private func write<Failure: Error>(
        _ body: (inout Commit) throws(Failure) -> Void
    ) throws(Failure) -> [FlagProviderChange] {
        var commit = Commit()
        try writers.withLock { _ throws(Failure) in try body(&commit) }
        commit.pending.resume()
        return commit.changes
    }

    /// Puts a document in force and announces its changes.
    private func publish(_ commit: inout Commit, isOtherSubject: Bool = false, _ new: FlagDocument) {
        let old = document
        let changes = new.changes(from: old)
        commit.replaced = old
        publish(&commit, isOtherSubject: isOtherSubject) { ($0, $1) = (new, changes) }
    }

    /// Changes the document under the lock of the state, and announces the changes that the closure lists.
    private func publish(
        _ commit: inout Commit, isOtherSubject: Bool = false,
        _ change: (inout FlagDocument, inout [FlagProviderChange]) -> Void
    ) {
        state.withLock { state in
            change(&state.document, &commit.changes)
            if commit.changes.isEmpty, !isOtherSubject { return }
            commit.observers = state.observers.forEach { observer in
                if isOtherSubject { observer.send(.subjectChanged, pending: &commit.pending) }
                if !commit.changes.isEmpty { observer.send(.changed(commit.changes), pending: &commit.pending) }
            }
        }
    }
}
