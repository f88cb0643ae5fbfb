import Synchronization

/// A provider's values and observers behind one lock, so that nobody writes this twice.
///
/// Changes are committed and announced together, in order; an unchanged value announces nothing; reads wait for no
/// slow write. Safe from any thread. A store is a reference: copies of a provider struct share it.
public final class FlagProviderStore: Sendable {
    private struct State {
        var document: FlagDocument
        var observers: [WeakObserver] = []

        /// - Returns: The observers that were told. Let go of them outside of the lock: the end of one may run code
        ///   of somebody else's.
        mutating func announce(
            _ changes: [FlagProviderChange], waking wakes: inout FlagWakes
        ) -> [FlagProviderObserver] {
            guard !changes.isEmpty else { return [] }
            let present = presentObservers()
            for observer in present { observer.valuesChanged(changes, waking: &wakes) }
            return present
        }

        /// Forgets the observers that are gone, and returns the others.
        mutating func presentObservers() -> [FlagProviderObserver] {
            let present = observers.compactMap(\.observer)
            if present.count < observers.count { observers = present.map { WeakObserver(observer: $0) } }
            return present
        }
    }

    private struct WeakObserver {
        weak var observer: FlagProviderObserver?
    }

    /// Guards ``State``; held to look a value up, or to swap and announce.
    private let state: Mutex<State>
    /// Held through a whole write, so that slow writers wait for each other and readers for none.
    private let writers = Mutex<Void>(())

    /// Makes a store that holds the given values.
    public init(_ document: FlagDocument = FlagDocument()) {
        state = Mutex(State(document: document))
    }

    /// All values as of now.
    public var document: FlagDocument {
        state.withLock { $0.document }
    }

    /// Returns the value for a key, or `nil` if there is none.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        state.withLock { $0.document.value(for: key) }
    }

    /// Adds an observer, held weakly.
    ///
    /// - Returns: `true`: changes will be told.
    public func observe(_ observer: FlagProviderObserver) -> Bool {
        let present = state.withLock { state in
            let present = state.presentObservers()
            state.observers.append(WeakObserver(observer: observer))
            return present
        }
        withExtendedLifetime(present) {}
        return true
    }

    /// Tells observers that any value may have changed, though the document has not: they ask again for what they keep.
    public func announceReset() {
        // Not under the lock: whoever asks again from now on is answered with what holds.
        for observer in state.withLock({ $0.presentObservers() }) { observer.valuesMayHaveChanged() }
    }

    /// Sets one value, or removes it with `nil`, and announces it if it differs.
    public func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) {
        setValues([key: value])
    }

    /// Sets several values in one commit, removing those that are `nil`.
    ///
    /// - Returns: What differs now, as it was announced, by key.
    @discardableResult
    public func setValues(_ values: [FlagKeyPath: EncodedFlagValue?]) -> [FlagProviderChange] {
        // Here and below, who waits is woken when the readers' lock is free again.
        let (changes, told) = writers.withLock { _ in
            var wakes = FlagWakes()
            let announced = state.withLock { state -> ([FlagProviderChange], [FlagProviderObserver]) in
                var changes: [FlagProviderChange] = []
                for (key, value) in values {
                    let old = state.document.value(for: key)
                    guard old != value else { continue }
                    if value == nil, state.document.hasShadowedValue(for: key) {
                        // What lay in the shadow goes too, and may be an object that answered for flags below.
                        let before = state.document
                        state.document.setValue(nil, for: key)
                        changes += state.document.changes(from: before)
                        continue
                    }
                    state.document.setValue(value, for: key)
                    changes.append(FlagProviderChange(key: key, old: old, new: value))
                }
                changes.sort { $0.key.text < $1.key.text }
                return (changes, state.announce(changes, waking: &wakes))
            }
            wakes.wake()
            return announced
        }
        withExtendedLifetime(told) {}
        return changes
    }

    /// Replaces the document as a whole in one commit.
    ///
    /// - Returns: What differs now, as it was announced.
    @discardableResult
    public func replaceDocument(with new: FlagDocument) -> [FlagProviderChange] {
        let (changes, told) = writers.withLock { _ in commit(new, over: document) }
        withExtendedLifetime(told) {}
        return changes
    }

    /// Changes the document as a whole, keeping it outside first.
    ///
    /// - Parameters:
    ///   - change: Makes the new document from the present one. Runs while other writers wait, and no reader.
    ///   - persist: Keeps the new document, in a file for example, before anybody sees it. Not called if nothing
    ///     differs. Neither closure may write to this store: it would wait for itself.
    /// - Returns: What differs now, as it was announced.
    /// - Throws: What a closure throws. Nothing has changed then.
    @discardableResult
    public func update<Failure: Error>(
        _ change: (inout FlagDocument) throws(Failure) -> Void,
        persist: (FlagDocument) throws(Failure) -> Void
    ) throws(Failure) -> [FlagProviderChange] {
        let (changes, told) = try writers.withLock {
            _ throws(Failure) -> ([FlagProviderChange], [FlagProviderObserver]) in
            let old = document
            var new = old
            try change(&new)
            guard new != old else { return ([], []) }
            try persist(new)
            return commit(new, over: old)
        }
        withExtendedLifetime(told) {}
        return changes
    }

    /// Makes a document visible and announces what differs. Call it only while holding ``writers``.
    ///
    /// - Returns: What differs, and who was told, to be let go of outside of the locks.
    private func commit(
        _ new: FlagDocument, over old: FlagDocument
    ) -> ([FlagProviderChange], [FlagProviderObserver]) {
        let changes = new.changes(from: old)
        var wakes = FlagWakes()
        let told = state.withLock { state in
            state.document = new
            return state.announce(changes, waking: &wakes)
        }
        wakes.wake()
        return (changes, told)
    }
}
