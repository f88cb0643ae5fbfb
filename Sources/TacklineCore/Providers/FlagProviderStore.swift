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
        // Released here, outside the lock, because the last reference to an observer may run foreign code.
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
        var observers: WeakList<FlagProviderObserver>.Kept = (nil, [])
        var pending = PendingResumptions()
        // Under both locks, so that it is in order with the changes of values.
        writers.withLock { _ in
            state.withLock { state in
                observers = state.observers.forEach { $0.send(.subjectChanged, pending: &pending) }
            }
        }
        pending.resume()
        withExtendedLifetime(observers) {}
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
        commit(replacing: { nil }) { document in document.change(key, to: value).map { [$0] } ?? [] }
    }

    /// Sets several values in one commit. A value that is `nil` is removed.
    ///
    /// - Returns: The changes that were announced, sorted by key.
    @discardableResult
    public func setValues(_ values: [FlagKeyPath: EncodedFlagValue?]) -> [FlagProviderChange] {
        commit(replacing: { nil }) { document in
            FlagKeyPath.sorted(Array(values.keys)).compactMap { document.change($0, to: values[$0] ?? nil) }
        }
    }

    /// Replaces the whole document in one commit, and returns the changes that were announced.
    @discardableResult
    public func replaceDocument(with new: FlagDocument) -> [FlagProviderChange] { commit(replacing: { new }) }

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
        try commit(replacing: { () throws(Failure) in
            let old = document
            var new = old
            try change(&new)
            guard new != old else { return nil }
            try persist(new)
            return new
        })
    }

    /// Makes a change under the lock of the state, and announces it.
    ///
    /// The replaced document and the observers are released after the locks, because releasing the last reference to a
    /// value or an observer may run foreign code, and an executor may run a resumed task at once.
    ///
    /// - Parameters:
    ///   - replace: Returns the document in place of the one in force, while other writers wait; `nil` for none.
    ///   - change: Changes the document in force if it isn't replaced, and returns the changes.
    // Inlined, so that a write of one value does nothing for a replacement.
    @discardableResult
    @inline(__always)
    private func commit<Failure: Error>(
        replacing replace: () throws(Failure) -> FlagDocument?,
        _ change: (inout FlagDocument) -> [FlagProviderChange] = { _ in [] }
    ) throws(Failure) -> [FlagProviderChange] {
        var (old, changes): (FlagDocument?, [FlagProviderChange]) = (nil, [])
        var observers: WeakList<FlagProviderObserver>.Kept = (nil, [])
        var pending = PendingResumptions()
        try writers.withLock { _ throws(Failure) in
            let new = try replace()
            if let new {
                let replaced = document
                (old, changes) = (replaced, new.changes(from: replaced))
            }
            state.withLock { state in
                if let new { state.document = new } else { changes = change(&state.document) }
                if changes.isEmpty { return }
                observers = state.observers.forEach { $0.send(.changed(changes), pending: &pending) }
            }
        }
        pending.resume()
        withExtendedLifetime((old, observers)) {}
        return changes
    }
}
