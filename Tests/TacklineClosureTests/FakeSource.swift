import Synchronization
import TacklineCore
import TacklineClosure

/// A source as vendors have it: values, and listeners that are called after each change, under no lock.
final class FakeSource: Sendable {
    private struct State {
        var document: FlagDocument
        var listeners: [Int: @Sendable () -> Void] = [:]
        var lastListener = 0
        var endings: [Int] = []
        var mostListeners = 0
        var questions = 0
    }

    private let state: Mutex<State>
    /// Whether it calls back also when nothing differs.
    private let isChatty: Bool
    /// Called in the middle of registering, with what was registered.
    let whileRegistering = Mutex<(@Sendable (_ changed: @escaping @Sendable () -> Void) -> Void)?>(nil)

    init(_ values: [String: EncodedFlagValue] = [:], isChatty: Bool = false) {
        state = Mutex(State(document: FlagDocument(values)))
        self.isChatty = isChatty
    }

    // MARK: What a vendor offers

    var values: [String: EncodedFlagValue] {
        state.withLock { state in
            state.questions += 1
            return state.document.root
        }
    }

    func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        state.withLock { state in
            state.questions += 1
            return state.document.value(for: key)
        }
    }

    /// As vendors do: `false` for what it has never heard of.
    func isActive(_ name: String) -> Bool {
        state.withLock { $0.document.value(for: FlagKeyPath(name)) == true }
    }

    func addListener(_ listener: @escaping @Sendable () -> Void) -> Int {
        whileRegistering.withLock { $0 }?(listener)
        return state.withLock { state in
            state.lastListener += 1
            state.listeners[state.lastListener] = listener
            state.mostListeners = max(state.mostListeners, state.listeners.count)
            return state.lastListener
        }
    }

    func removeListener(_ number: Int) {
        state.withLock { state in
            state.listeners[number] = nil
            state.endings.append(number)
        }
    }

    /// Adds a listener and returns what removes it.
    func observe(_ listener: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let number = addListener(listener)
        return { self.removeListener(number) }
    }

    // MARK: What a test does

    func set(_ values: [FlagKeyPath: EncodedFlagValue?]) {
        let listeners = state.withLock { state in
            let old = state.document
            for (key, value) in values { state.document.setValue(value, for: key) }
            return isChatty || state.document != old ? Array(state.listeners.values) : []
        }
        for listener in listeners { listener() }
    }

    /// Changes values without a call to a listener, and returns whether any is different.
    @discardableResult
    func setSilently(_ values: [FlagKeyPath: EncodedFlagValue?]) -> Bool {
        state.withLock { state in
            let old = state.document
            for (key, value) in values { state.document.setValue(value, for: key) }
            return state.document != old
        }
    }

    var listenerCount: Int { state.withLock { $0.listeners.count } }
    var mostListeners: Int { state.withLock { $0.mostListeners } }
    var registrations: Int { state.withLock { $0.lastListener } }
    /// What was removed, in order.
    var endings: [Int] { state.withLock { $0.endings } }
    /// How often it was asked for values.
    var questions: Int { state.withLock { $0.questions } }
}

/// The two ways in which a provider over one source reads values.
enum SourceProvider: String, CaseIterable, Sendable {
    case oneByOne, together

    /// - Parameter isObserved: Whether the source announces its changes. Otherwise the test does.
    func make(
        _ source: FakeSource, traits: FlagProviderTraits = [], isObserved: Bool = true, announcesChanges: Bool = false
    ) -> ClosureProvider {
        var observe: (@Sendable (@escaping @Sendable () -> Void) -> @Sendable () -> Void)?
        if isObserved { observe = { source.observe($0) } }
        return switch self {
        case .oneByOne:
            ClosureProvider(
                traits: traits, value: { source.value(for: $0) }, observe: observe, announcesChanges: announcesChanges)
        case .together:
            ClosureProvider(
                traits: traits, values: { source.values }, observe: observe, announcesChanges: announcesChanges)
        }
    }
}
