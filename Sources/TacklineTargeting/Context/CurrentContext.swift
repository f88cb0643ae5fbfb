import Synchronization
import TacklineCore

/// The context of an app, such as the user and the device, shared by the providers that evaluate rules.
///
/// ```swift
/// let context = CurrentContext()
/// let rules = DefinitionsProvider(definitions, context: .current(context))
/// context.set(EvaluationContext(targetingKey: account.id))   // log-in
/// context.set(EvaluationContext())                           // log-out
/// ```
///
/// When ``set(_:)`` returns, every provider answers for the new context and has announced exactly the flags whose
/// values are different. Another targeting key makes another subject, which the providers announce as well, so that no
/// value that a loader pinned for the former one is read any more.
///
/// Any thread may use it. If several contexts are set at the same time, the last one is in force for all providers.
public final class CurrentContext: Sendable {
    private struct State {
        var context: EvaluationContext
        /// The providers that evaluate for the context.
        var followers = WeakList<DefinitionsStore>()
    }

    private let state: Mutex<State>

    /// Makes a shared context.
    public init(_ context: EvaluationContext = EvaluationContext()) {
        state = Mutex(State(context: context))
    }

    /// The context that the app's providers share unless they are given another one. A test makes its own.
    public static let shared = CurrentContext()

    /// The current context.
    public var context: EvaluationContext {
        state.withLock { $0.context }
    }

    /// Replaces the context. Does nothing if the new context is equal.
    public func set(_ context: EvaluationContext) {
        update { $0 = context }
    }

    /// Changes the context in one step, so that simultaneous changes are not lost.
    ///
    /// - Parameter change: Changes the context. It runs under a lock and must not use this object.
    public func update(_ change: (inout EvaluationContext) -> Void) {
        let (followers, old) = state.withLock { state -> ([DefinitionsStore], EvaluationContext) in
            let old = state.context
            change(&state.context)
            return (state.context == old ? [] : state.followers.strong(), old)
        }
        // Released outside the lock that reads take.
        withExtendedLifetime(old) {}
        // Called outside the lock: each follower reads the context again, so it cannot return to an older one.
        followers.forEach { $0.reevaluate() }
    }

    /// Adds a follower, which evaluates again after each change and is held weakly.
    func add(_ follower: DefinitionsStore) {
        let present = state.withLock { state in
            defer { state.followers.append(follower) }
            return state.followers.strong()
        }
        // Released outside the lock.
        withExtendedLifetime(present) {}
    }
}
