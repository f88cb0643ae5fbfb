import Synchronization
import TacklineCore

/// Observes a source for as long as somebody observes the provider: registers when the first observer comes, and gives
/// the registration back, once, when the last one has gone.
///
/// Registering and giving back are somebody else's code, so they run under no lock and one after the other; whoever
/// comes meanwhile does not wait, and is told afterwards that it may have missed something.
final class SourceObservation: Sendable {
    /// Registers for one session and returns what ends it.
    typealias Register = @Sendable (_ session: UInt64, _ changed: @escaping @Sendable () -> Void) -> Ending
    typealias Ending = @Sendable () -> Void

    private enum Phase {
        case idle
        /// Somebody's code runs, on the thread that will go on with what is to be done next.
        case busy
        case registered(Ending)
    }

    private struct State {
        var phase = Phase.idle
        var observers: [(number: UInt64, reference: WeakObserver)] = []
        var lastNumber: UInt64 = 0
        /// Grows with each registration. What an earlier one still tells is not listened to.
        var session: UInt64 = 0
        /// Whether an observer came while the source was not yet, or no longer, observed.
        var hasLatecomers = false
    }

    private struct WeakObserver {
        weak var observer: FlagProviderObserver?
    }

    private enum Step {
        case register(session: UInt64)
        case end(Ending)
    }

    private let state = Mutex(State())
    private let register: Register
    private let changed: @Sendable (_ observation: SourceObservation, _ session: UInt64) -> Void

    /// - Parameters:
    ///   - register: Runs under no lock. It may already call `changed`, from any thread.
    ///   - changed: Called for each change that the source tells in a session that has not ended.
    init(
        register: @escaping Register,
        changed: @escaping @Sendable (_ observation: SourceObservation, _ session: UInt64) -> Void
    ) {
        self.register = register
        self.changed = changed
    }

    deinit {
        // Nobody else has a reference any more, so no step is under way.
        if case .registered(let end) = state.withLock({ $0.phase }) { end() }
    }

    /// The number of the session that is beginning or going on; 0 if the source is not observed.
    var session: UInt64 {
        state.withLock { state in
            if case .idle = state.phase { 0 } else { state.session }
        }
    }

    /// Adds an observer, held weakly, and registers if it is the first.
    func add(_ observer: FlagProviderObserver) {
        let number = state.withLock { state in
            state.lastNumber += 1
            state.observers.append((state.lastNumber, WeakObserver(observer: observer)))
            if case .busy = state.phase { state.hasLatecomers = true }
            return state.lastNumber
        }
        observer.onEnd { [weak self] in self?.remove(number) }
        settle()
    }

    private func remove(_ number: UInt64) {
        state.withLock { $0.observers.removeAll { $0.number == number } }
        settle()
    }

    /// Tells every observer that any value may have changed.
    func tellReset() {
        // Kept until the lock is let go: the end of an observer may run code of somebody else's, and ours.
        let observers = state.withLock { $0.observers.compactMap(\.reference.observer) }
        for observer in observers { observer.valuesMayHaveChanged() }
    }

    /// Does what is to be done, step by step, unless another thread is at it.
    private func settle() {
        while let step = state.withLock({ Self.nextStep(&$0) }) {
            switch step {
            case .register(let session):
                let end = register(session) { [weak self] in self?.sourceChanged(in: session) }
                let hasLatecomers = state.withLock { state in
                    state.phase = .registered(end)
                    defer { state.hasLatecomers = false }
                    return state.hasLatecomers
                }
                if hasLatecomers { tellReset() }
            case .end(let end):
                end()
                state.withLock { $0.phase = .idle }
            }
        }
    }

    private static func nextStep(_ state: inout State) -> Step? {
        switch state.phase {
        case .idle where !state.observers.isEmpty:
            state.session += 1
            state.phase = .busy
            return .register(session: state.session)
        case .registered(let end) where state.observers.isEmpty:
            // What the source tells from now on concerns nobody.
            state.session += 1
            state.phase = .busy
            return .end(end)
        default:
            return nil
        }
    }

    private func sourceChanged(in session: UInt64) {
        if state.withLock({ $0.session == session }) { changed(self, session) }
    }
}
