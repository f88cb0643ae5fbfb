/// An observation that lasts until it is cancelled or deallocated.
///
/// ```swift
/// observation = flags.$theme.observeValues { [weak self] theme in self?.apply(theme) }
/// ```
public final class FlagObservation: Sendable {
    private let task: Task<Void, Never>

    private init(_ task: Task<Void, Never>) { self.task = task }

    /// Ends the observation. A call of the closure that is running is finished. Further calls do nothing.
    public func cancel() { task.cancel() }

    deinit { task.cancel() }

    /// Calls a closure with each element. The iteration has begun when the method returns, so no element is missed.
    static func observing<Elements: AsyncSequence>(
        _ elements: Elements, isolation: isolated (any Actor)?, _ body: @escaping (Elements.Element) async -> Void
    ) -> FlagObservation
    where Elements.Failure == Never, Elements.AsyncIterator: Sendable, Elements.Element: Sendable {
        let iterator = elements.makeAsyncIterator()
        return FlagObservation(
            Task {
                // Captured, so that the task and the closure run on the caller's actor.
                _ = isolation
                var iterator = iterator
                while let element = await iterator.next(isolation: isolation) { await body(element) }
            })
    }
}

extension FlagHandle {
    /// Calls a closure with the current value, and then with each new one.
    ///
    /// Use it in code without tasks, such as a UIKit view controller. The closure runs on the actor of the caller, such as
    /// the main actor. Calls come one after the other. While one is running, newer values replace each other.
    ///
    /// - Parameters:
    ///   - isolation: The actor that the closure runs on. The default is the caller's actor.
    ///   - body: The closure. The observation keeps it.
    /// - Returns: The observation. Keep it for as long as you want calls.
    public func observeValues(
        isolation: isolated (any Actor)? = #isolation, _ body: @escaping (Value) async -> Void
    ) -> FlagObservation {
        FlagObservation.observing(values, isolation: isolation, body)
    }

    /// Calls a closure with each change from now on. See ``changes`` and
    /// ``observeValues(isolation:_:)``.
    public func observeChanges(
        isolation: isolated (any Actor)? = #isolation, _ body: @escaping (FlagChange<Value>) async -> Void
    ) -> FlagObservation {
        FlagObservation.observing(changes, isolation: isolation, body)
    }
}

extension UntypedFlagChanges {
    /// Calls a closure with each change from now on. See ``FlagHandle/observeValues(isolation:_:)``.
    public func observe(
        isolation: isolated (any Actor)? = #isolation, _ body: @escaping (UntypedFlagChange) async -> Void
    ) -> FlagObservation {
        FlagObservation.observing(self, isolation: isolation, body)
    }
}
