import Synchronization

/// The one context of an app, shared by the providers that evaluate rules: who is logged in, on what device.
///
/// ```swift
/// let context = CurrentContext()
/// let rules = DefinitionsProvider(definitions, context: .current(context))
/// context.set(EvaluationContext(targetingKey: account.id))   // log-in
/// context.set(EvaluationContext())                           // log-out
/// ```
///
/// When ``set(_:)`` returns, every provider answers for the new context, and each has announced exactly the flags whose
/// value is now different, and that the subject is another one, so that no value which a loader pinned for the former
/// context is read any more. A context that differs in anything is another subject. Safe from any thread; of several contexts set at once the last one holds in the end, for all
/// providers.
public final class CurrentContext: Sendable {
    private struct State {
        var context: EvaluationContext
        var followers: [Follower] = []
    }

    private struct Follower {
        weak var target: (any ContextFollower)?
    }

    private let state: Mutex<State>

    /// Makes a shared context.
    public init(_ context: EvaluationContext = EvaluationContext()) {
        state = Mutex(State(context: context))
    }

    /// The one that the app's providers share unless they are given another one. A test makes its own.
    public static let shared = CurrentContext()

    /// The context as of now.
    public var context: EvaluationContext {
        state.withLock { $0.context }
    }

    /// Replaces the context. Does nothing if it is the same.
    public func set(_ context: EvaluationContext) {
        update { $0 = context }
    }

    /// Changes the context in one step, so that changes made at the same time elsewhere are not lost.
    ///
    /// - Parameter change: Runs under a lock; it must not use this object.
    public func update(_ change: (inout EvaluationContext) -> Void) {
        let (followers, old) = state.withLock { state -> ([Follower], EvaluationContext) in
            let old = state.context
            change(&state.context)
            guard state.context != old else { return ([], old) }
            state.followers.removeAll { $0.target == nil }
            return (state.followers, old)
        }
        // Released outside the lock, which reads take.
        withExtendedLifetime(old) {}
        // Outside the lock: each follower asks for the context again, and so cannot go back to an older one.
        for follower in followers { follower.target?.contextChanged() }
    }

    /// Has every provider evaluate its rules again and announce what differs, for example after the system's clock was set. The
    /// passing of time needs no call: providers notice it by themselves.
    public func reevaluate() {
        let followers = state.withLock { $0.followers }
        for follower in followers { follower.target?.contextChanged() }
    }

    /// Adds someone who is told each change, held weakly.
    func add(_ follower: any ContextFollower) {
        state.withLock { state in
            state.followers.removeAll { $0.target == nil }
            state.followers.append(Follower(target: follower))
        }
    }
}

/// Someone who evaluates for the current context.
protocol ContextFollower: AnyObject, Sendable {
    func contextChanged()
}
