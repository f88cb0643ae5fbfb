import Synchronization
import TacklineCore

/// The source of a provider made of closures. It is observed as long as the provider has observers.
///
/// Every closure is foreign code, so it runs under no lock. Threads don't wait for each other's closures either, because
/// a source may call back under a lock of its own that another closure needs. So one thread at a time registers with
/// the source or loads its values, and leaves a note for it if there is more to do. An observer that is added while the
/// source isn't observed yet gets its values directly from the source, and a reset afterwards.
final class ObservedSource: Sendable {
    /// The closure that returns values.
    enum Reading: Sendable {
        case oneByOne(@Sendable (FlagKeyPath) -> EncodedFlagValue?)
        case together(@Sendable () -> [String: EncodedFlagValue])
    }

    typealias End = @Sendable () -> Void

    private enum Phase {
        case idle
        /// A thread registers or unregisters. It also does what is to be done next.
        case busy
        case observed(End)
    }

    private struct State {
        var phase = Phase.idle
        var observers: Set<UInt64> = []
        var lastObserver: UInt64 = 0
        /// The number of the registration. Calls of an earlier one are ignored.
        var session: UInt64 = 0
        var hasSession = false

        // The values of a session, if they are read together.

        /// Whether a thread loads the values, or is about to do so.
        var isLoading = false
        /// Whether the source has changed since the values were last asked for.
        var isOutdated = false
        /// Whether the store contains the values of this session, so that reads need not ask the source.
        var isLoaded = false

        func isCurrent(_ session: UInt64) -> Bool { hasSession && self.session == session }

        /// Returns whether the values have to be loaded, or loaded again, by the thread that asks.
        mutating func beginLoad(in session: UInt64) -> Bool {
            guard isCurrent(session) else { return false }
            isLoading = isOutdated
            isOutdated = false
            return isLoading
        }
    }

    private enum Step {
        case register(session: UInt64)
        case end(End)
    }

    private let name: String
    private let reading: Reading
    private let register: @Sendable (_ changed: @escaping @Sendable () -> Void) -> End
    private let state = Mutex(State())
    /// The observers, and the values if they are read together.
    private let store = FlagProviderStore()

    init(
        name: String, reading: Reading, register: (@Sendable (_ changed: @escaping @Sendable () -> Void) -> End)?
    ) {
        (self.name, self.reading) = (name, reading)
        self.register = register ?? { _ in {} }
    }

    deinit { if case .observed(let end) = state.withLock({ $0.phase }) { end() } }

    // MARK: Reading

    /// - Parameter readsFlags: Whether the core finds cycles, as it does for providers that announce no changes.
    func value(for key: FlagKeyPath, readsFlags: Bool) -> EncodedFlagValue? {
        guard case .oneByOne(let value) = reading else { return document?.value(for: key) }
        if readsFlags { return value(key) }
        return FetchInProgress.run(of: self, named: name, for: key) { value(key) } ?? nil
    }

    /// All values, or `nil` if they are read one by one.
    var document: FlagDocument? {
        guard case .together(let values) = reading else { return nil }
        return state.withLock { $0.isLoaded } ? store.document : ask(values)
    }

    private func ask(_ values: () -> [String: EncodedFlagValue]) -> FlagDocument {
        FlagDocument(FetchInProgress.run(of: self, named: name, for: nil, values) ?? [:])
    }

    // MARK: Changes

    /// Announces a change that the source itself doesn't announce.
    func valuesDidChange() { handleChange(in: nil) }

    /// - Parameter session: The session in which the source called, or `nil` if the app reports the change. A change
    ///   that the app reports is visible to its next read.
    private func handleChange(in session: UInt64?) {
        guard case .together(let values) = reading else {
            if session.map({ session in state.withLock { $0.isCurrent(session) } }) ?? true { store.announceReset() }
            return
        }
        // The values that the source returns include the change.
        guard !FetchInProgress.isAsking(self) else { return }
        enum Reaction { case nothing, load(UInt64), reset }
        let reaction = state.withLock { state -> Reaction in
            if let session, !state.isCurrent(session) { return .nothing }
            guard state.hasSession else { return .reset }
            state.isOutdated = true
            if !state.isLoading {
                state.isLoading = true
                return .load(state.session)
            }
            // The loading thread asks again. Until then, reads ask the source.
            if session == nil { state.isLoaded = false }
            return state.isLoaded ? .nothing : .reset
        }
        switch reaction {
        case .nothing: break
        case .reset: store.announceReset()
        case .load(let session): load(values, in: session)
        }
    }

    /// Loads the values until they are up to date. Only one thread of a session does so.
    private func load(_ values: () -> [String: EncodedFlagValue], in session: UInt64) {
        while state.withLock({ $0.beginLoad(in: session) }) {
            let new = ask(values)
            store.update { document in
                // Another session may have begun.
                if state.withLock({ $0.isCurrent(session) }) { document = new }
            } persist: { _ in
            }
            let isFirst = state.withLock { state in
                guard state.isCurrent(session), !state.isOutdated, !state.isLoaded else { return false }
                state.isLoaded = true
                return true
            }
            // Observers may have values that were not taken from the store, so the store's changes are not all.
            if isFirst { store.announceReset() }
        }
    }

    // MARK: Observers

    /// Adds an observer, which is held weakly, and begins to observe the source if it is the first.
    func add(_ observer: FlagProviderObserver) {
        let number = state.withLock { state in
            state.lastObserver += 1
            state.observers.insert(state.lastObserver)
            return state.lastObserver
        }
        observer.onEnd { [weak self] in self?.remove(number) }
        settle()
        // Afterwards, so that the first observer gets no notice of the values that it begins with.
        store.observe(observer)
    }

    private func remove(_ number: UInt64) {
        _ = state.withLock { $0.observers.remove(number) }
        settle()
    }

    /// Registers and unregisters until that fits the observers, unless another thread does so.
    private func settle() {
        while let step = state.withLock({ Self.nextStep(&$0) }) {
            switch step {
            case .register(let session):
                let end = register { [weak self] in self?.handleChange(in: session) }
                switch reading {
                case .together(let values): load(values, in: session)
                // For observers that were added meanwhile.
                case .oneByOne: store.announceReset()
                }
                state.withLock { $0.phase = .observed(end) }
            case .end(let end):
                end()
                state.withLock { $0.phase = .idle }
            }
        }
    }

    private static func nextStep(_ state: inout State) -> Step? {
        switch state.phase {
        case .idle where !state.observers.isEmpty:
            state.phase = .busy
            state.session += 1
            (state.hasSession, state.isLoading, state.isOutdated, state.isLoaded) = (true, true, true, false)
            return .register(session: state.session)
        case .observed(let end) where state.observers.isEmpty:
            state.phase = .busy
            (state.hasSession, state.isLoading, state.isOutdated, state.isLoaded) = (false, false, false, false)
            return .end(end)
        default:
            return nil
        }
    }
}
