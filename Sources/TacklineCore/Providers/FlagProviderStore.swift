import Synchronization

/// A provider's values and observers behind one lock, to build providers on.
///
/// Changes are committed and announced together, in order; an unchanged value announces nothing; reads never wait for a
/// slow write. Safe from any thread. A store is a reference: copies of a provider struct share it.
public final class FlagProviderStore: Sendable {
    private struct State {
        var document: FlagDocument
        var observers: [WeakObserver] = []

        /// Returns the observers that are still there, and forgets the others.
        mutating func presentObservers() -> PresentObservers {
            var present = PresentObservers()
            // In its place: a weak reference is slow to copy.
            for place in observers.indices { if let observer = observers[place].observer { present.add(observer) } }
            if present.count < observers.count {
                observers = []
                present.forEach { observers.append(WeakObserver(observer: $0)) }
            }
            return present
        }

        /// Sets one value, or removes it with `nil`.
        ///
        /// - Returns: What differs now; `nil` if nothing does.
        mutating func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) -> FlagProviderNews? {
            // A flat key that is there is looked up once.
            if let value, document.namesakes.isEmpty, let place = document.root.index(forKey: key.text),
                case let (name, old) = document.root[place], name.hasSameBytes(as: key.text)
            {
                guard old != value else { return nil }
                document.root.values[place] = value
                return .one(FlagProviderChange(key: key, old: old, new: value))
            }
            let old = document.value(for: key)
            guard old != value else { return nil }
            guard value == nil, document.hasShadowedValue(for: key) else {
                document.setValue(value, for: key)
                return .one(FlagProviderChange(key: key, old: old, new: value))
            }
            // The shadowed value goes too, and may be an object that answered for flags below.
            let before = document
            document.setValue(nil, for: key)
            return .several(document.changes(from: before))
        }
    }

    private struct WeakObserver { weak var observer: FlagProviderObserver? }

    /// Observers, kept until nothing is locked, since the end of one may run foreign code. One, as there nearly always is,
    /// takes no array.
    private struct PresentObservers {
        private var first: FlagProviderObserver?
        private var others: [FlagProviderObserver] = []

        var count: Int { first == nil ? 0 : 1 + others.count }

        mutating func add(_ observer: FlagProviderObserver) {
            if first == nil { first = observer } else { others.append(observer) }
        }

        func forEach(_ body: (FlagProviderObserver) -> Void) {
            if let first { body(first) }
            others.forEach(body)
        }
    }

    /// Held only to look a value up, or to swap values and announce that.
    private let state: Mutex<State>
    /// Held through a whole write, so that slow writers wait for each other and readers for none.
    private let writers = Mutex<Void>(())

    /// Makes a store that holds the given values.
    public init(_ document: FlagDocument = FlagDocument()) { state = Mutex(State(document: document)) }

    /// All values as of now.
    public var document: FlagDocument { state.withLock { $0.document } }

    /// Returns the value for a key, or `nil` if there is none.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? { state.withLock { $0.document.value(for: key) } }

    /// Adds an observer, held weakly.
    public func observe(_ observer: FlagProviderObserver) {
        let present = state.withLock { state in
            let present = state.presentObservers()
            state.observers.append(WeakObserver(observer: observer))
            return present
        }
        withExtendedLifetime(present) {}
    }

    /// Tells observers that any value may have changed, so that they ask for all again, though the document is the same.
    public func announceReset() {
        state.withLock { $0.presentObservers() }.forEach { $0.valuesMayHaveChanged() }
    }

    /// Hands an issue to each loader that has the provider: that its source is down, say. Call it with nothing locked.
    public func report(_ issue: FlagIssue) {
        state.withLock { $0.presentObservers() }.forEach { $0.report(issue) }
    }

    /// Sets one value, or removes it with `nil`, and announces it if it differs.
    public func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) {
        write { ([], commit { $0.setValue(value, for: key) }) }
    }

    /// Sets several values in one commit, removing those that are `nil`.
    ///
    /// - Returns: What differs now, as it was announced, by key.
    @discardableResult
    public func setValues(_ values: [FlagKeyPath: EncodedFlagValue?]) -> [FlagProviderChange] {
        write {
            var changes: [FlagProviderChange] = []
            let told = commit { state in
                for (key, value) in values {
                    switch state.setValue(value, for: key) {
                    case .one(let change)?: changes.append(change)
                    case .several(let several)?: changes += several
                    case .reset?, nil: break
                    }
                }
                changes = changes.inOrder { $0.key.text }
                return changes.isEmpty ? nil : .several(changes)
            }
            return (changes, told)
        }
    }

    /// Replaces the document as a whole in one commit.
    ///
    /// - Returns: What differs now, as it was announced.
    @discardableResult
    public func replaceDocument(with new: FlagDocument) -> [FlagProviderChange] {
        write { commit(new, over: document) }
    }

    /// Changes the document as a whole, after persisting the new one.
    ///
    /// - Parameters:
    ///   - change: Makes the new document from the present one. Other writers wait meanwhile, readers do not.
    ///   - persist: Keeps the new document, in a file for example, before anybody sees it. Not called if nothing
    ///     differs. A closure that writes to this store would deadlock.
    /// - Returns: What differs now, as it was announced.
    /// - Throws: What a closure throws. Nothing has changed then.
    @discardableResult
    public func update<Failure: Error>(
        _ change: (inout FlagDocument) throws(Failure) -> Void, persist: (FlagDocument) throws(Failure) -> Void
    ) throws(Failure) -> [FlagProviderChange] {
        try write { () throws(Failure) in
            let old = document
            var new = old
            try change(&new)
            guard new != old else { return ([], PresentObservers()) }
            try persist(new)
            return commit(new, over: old)
        }
    }

    /// What a write changed, and who was told.
    private typealias Written = (changes: [FlagProviderChange], told: PresentObservers)

    /// Runs a write while other writers wait.
    @discardableResult
    private func write<Failure: Error>(_ body: () throws(Failure) -> Written) throws(Failure) -> [FlagProviderChange] {
        let (changes, told) = try writers.withLock { _ throws(Failure) in try body() }
        // Outside of the locks, since the end of an observer may run foreign code.
        withExtendedLifetime(told) {}
        return changes
    }

    /// Makes a document visible and announces what differs. Call it only in ``write(_:)``.
    private func commit(_ new: FlagDocument, over old: FlagDocument) -> Written {
        let changes = new.changes(from: old)
        let told = commit { state in
            state.document = new
            return changes.isEmpty ? nil : .several(changes)
        }
        return (changes, told)
    }

    /// Changes the state and announces the news. Call it only in ``write(_:)``.
    ///
    /// - Returns: The observers that were told.
    private func commit(_ change: (inout State) -> FlagProviderNews?) -> PresentObservers {
        var wakes = FlagWakes()
        let told = state.withLock { state in
            guard let news = change(&state) else { return PresentObservers() }
            let present = state.presentObservers()
            present.forEach { $0.tell(news, waking: &wakes) }
            return present
        }
        // Those who wait would run into the readers' lock if they were woken under it.
        wakes.wake()
        return told
    }
}
