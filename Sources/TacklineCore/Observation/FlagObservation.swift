/// An observation that lasts until it is cancelled or deallocated.
///
/// ```swift
/// observation = flags.$theme.observeValues { [weak self] theme in self?.apply(theme) }
/// ```
public final class FlagObservation: Sendable {
    private let task: Task<Void, Never>

    private init(_ task: Task<Void, Never>) { self.task = task }

    /// Ends the observation. A call of the closure that is running is finished. Further calls do nothing.
    ///
    /// After a call on the closure's own actor, the closure isn't called again.
    public func cancel() { task.cancel() }

    deinit { task.cancel() }

    /// Calls a closure with each element. The iteration has begun when the method returns, so no element is missed.
    static func observing<Element: Sendable>(
        _ elements: some AsyncSequence<Element, Never> & Sendable,
        _ body: @escaping @Sendable @isolated(any) (Element) async -> Void
    ) -> FlagObservation {
        var iterator = elements.makeAsyncIterator()
        return FlagObservation(
            Task {
                while let element = await iterator.next(isolation: nil) {
                    await call(body, with: element, isolation: body.isolation)
                }
            })
    }

    /// Calls a closure, unless the observation was cancelled while the call waited for the closure's actor.
    private static func call<Element: Sendable>(
        _ body: @escaping @Sendable @isolated(any) (Element) async -> Void, with element: Element,
        isolation: isolated (any Actor)?
    ) async {
        if !Task.isCancelled { await body(element) }
    }
}

extension FlagHandle {
    /// Calls a closure with the current value, and then with each new one.
    ///
    /// Use it in code without tasks, such as a UIKit view controller. The closure runs on the actor of the caller, such
    /// as the main actor. Calls come one after the other. Values that arrive during a call are merged: the next call
    /// gets the newest.
    ///
    /// - Parameter body: The closure. The observation keeps it.
    /// - Returns: The observation. Keep it for as long as you want calls.
    public func observeValues(
        @_inheritActorContext _ body: @escaping @Sendable @isolated(any) (Value) async -> Void
    ) -> FlagObservation {
        FlagObservation.observing(values, body)
    }

    /// Calls a closure with each change from now on.
    ///
    /// The changes are those of ``changes``. The closure runs as that of ``observeValues(_:)`` does.
    ///
    /// - Returns: The observation. Keep it for as long as you want calls.
    public func observeChanges(
        @_inheritActorContext _ body: @escaping @Sendable @isolated(any) (FlagChange<Value>) async -> Void
    ) -> FlagObservation {
        FlagObservation.observing(changes, body)
    }
}

extension FlagGroup {
    /// Calls a closure with each change of a flag in this collection or in the collections inside it, from now on.
    ///
    /// The changes are those of ``changes``. The closure runs as that of ``FlagHandle/observeValues(_:)`` does.
    ///
    /// - Returns: The observation. Keep it for as long as you want calls.
    public func observeChanges(
        @_inheritActorContext _ body: @escaping @Sendable @isolated(any) (FlagChange<EncodedFlagValue>) async -> Void
    ) -> FlagObservation {
        FlagObservation.observing(changes, body)
    }
}
