import Synchronization
import TacklineClosure
import TacklineCore

/// A source as vendors have it: values, and listeners that are called after each change, under no lock.
final class FakeSource: Sendable {
    private struct State {
        var document: FlagDocument
        var listeners: [Int: @Sendable () -> Void] = [:]
        var registrations = 0
        var questions = 0
    }

    private let state: Mutex<State>
    /// Whether it calls back also when nothing differs.
    private let isChatty: Bool
    /// Called in the middle of registering, with the closure that is registered.
    let whileRegistering = Mutex<(@Sendable (_ changed: @escaping @Sendable () -> Void) -> Void)?>(nil)

    init(_ values: [String: EncodedFlagValue] = [:], isChatty: Bool = false) {
        state = Mutex(State(document: FlagDocument(values)))
        self.isChatty = isChatty
    }

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

    /// Adds a listener and returns a closure that removes it.
    func observe(_ listener: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        whileRegistering.withLock { $0 }?(listener)
        let number = state.withLock { state in
            state.registrations += 1
            state.listeners[state.registrations] = listener
            return state.registrations
        }
        return { self.state.withLock { $0.listeners[number] = nil } }
    }

    func set(_ values: [FlagKeyPath: EncodedFlagValue?]) {
        let isDifferent = setSilently(values)
        let listeners = state.withLock { isChatty || isDifferent ? Array($0.listeners.values) : [] }
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

    var registrations: Int { state.withLock { $0.registrations } }
    var listenerCount: Int { state.withLock { $0.listeners.count } }
    /// How often it was asked for values.
    var questions: Int { state.withLock { $0.questions } }
}

/// The two ways in which a provider over one source reads values.
enum SourceProvider: CaseIterable {
    case oneByOne, together

    func make(_ source: FakeSource) -> ClosureProvider {
        switch self {
        case .oneByOne: ClosureProvider(value: { source.value(for: $0) }, observe: { source.observe($0) })
        case .together: ClosureProvider(values: { source.values }, observe: { source.observe($0) })
        }
    }
}
