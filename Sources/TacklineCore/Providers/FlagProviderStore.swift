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

        /// Sets a value, or removes it if it is `nil`.
        ///
        /// - Returns: The change, or `nil` if nothing changed.
        mutating func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) -> FlagProviderChange? {
            let old = document.value(for: key)
            guard old != value else { return nil }
            document.setValue(value, for: key)
            // A group is left if a flat value stood before it.
            return FlagProviderChange(key: key, old: old, new: value ?? document.value(for: key))
        }
    }

    /// A commit's changes with their old values, the document that it replaced, and the observers that received it. All
    /// are released after the locks, because the last reference to a value or an observer may run foreign code.
    private struct Committed {
        var changes: [FlagProviderChange] = []
        var old: FlagDocument?
        var observers: [FlagProviderObserver] = []
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
        write { pending in commit(isOtherSubject: true, &pending) { _ in [] } }
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
        write { pending in commit(&pending) { state in state.setValue(value, for: key).map { [$0] } ?? [] } }
    }

    /// Sets several values in one commit. A value that is `nil` is removed.
    ///
    /// - Returns: The changes that were announced, sorted by key.
    @discardableResult
    public func setValues(_ values: [FlagKeyPath: EncodedFlagValue?]) -> [FlagProviderChange] {
        write { pending in
            commit(&pending) { state in
                values.compactMap { state.setValue($0.value, for: $0.key) }.sorted { $0.key.text < $1.key.text }
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
        write { pending in commit(new, over: document, isOtherSubject: isOtherSubject, &pending) }
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
        try write { pending throws(Failure) in
            let old = document
            var new = old
            try change(&new)
            guard new != old else { return Committed() }
            try persist(new)
            return commit(new, over: old, &pending)
        }
    }

    /// Runs a write, and resumes and releases afterwards, because an executor may run a resumed task at once.
    @discardableResult
    private func write<Failure: Error>(
        _ body: (inout PendingResumptions) throws(Failure) -> Committed
    ) throws(Failure) -> [FlagProviderChange] {
        var pending = PendingResumptions()
        let committed = try writers.withLock { _ throws(Failure) in try body(&pending) }
        pending.resume()
        defer { withExtendedLifetime(committed) {} }
        return committed.changes
    }

    /// Puts a document in force and announces the changes. Call it only in ``write(_:)``.
    private func commit(
        _ new: FlagDocument, over old: FlagDocument, isOtherSubject: Bool = false, _ pending: inout PendingResumptions
    ) -> Committed {
        let changes = new.changes(from: old)
        var committed = commit(isOtherSubject: isOtherSubject, &pending) { state in
            state.document = new
            return changes
        }
        committed.old = old
        return committed
    }

    /// Changes the state and announces the changes that `change` returns. Call it only in ``write(_:)``.
    private func commit(
        isOtherSubject: Bool = false, _ pending: inout PendingResumptions,
        _ change: (inout State) -> [FlagProviderChange]
    ) -> Committed {
        state.withLock { state in
            let changes = change(&state)
            if changes.isEmpty, !isOtherSubject { return Committed() }
            let observers = state.observers.strong()
            observers.forEach { observer in
                if isOtherSubject { observer.send(.subjectChanged, pending: &pending) }
                if !changes.isEmpty { observer.send(.changed(changes), pending: &pending) }
            }
            return Committed(changes: changes, observers: observers)
        }
    }
}
