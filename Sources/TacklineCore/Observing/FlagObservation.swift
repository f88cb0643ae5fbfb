/// Keeps a closure being called for changes, for as long as this token lives.
public final class FlagObservation: Sendable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) { self.task = task }

    /// Ends the calls. One that is under way is finished. Calling it again does nothing.
    public func cancel() { task.cancel() }

    deinit { task.cancel() }
}

extension FlagHandle {
    /// Calls a closure with the current value, and then with each new one, until the token is gone or cancelled.
    ///
    /// For code without tasks, such as a UIKit view controller. A closure that is made on the main actor is called
    /// there. Calls come one after the other; while one is under way, newer values replace each other.
    public func observeValues(_ body: @escaping @isolated(any) @Sendable (Value) async -> Void) -> FlagObservation {
        FlagObservation.of(values, body)
    }

    /// Calls a closure with each change from now on, as ``changes`` hands them out, until the token is gone or cancelled.
    public func observeChanges(
        _ body: @escaping @isolated(any) @Sendable (FlagChange<Value>) async -> Void
    ) -> FlagObservation {
        FlagObservation.of(changes, body)
    }
}

extension FlagReferenceChanges {
    /// Calls a closure with each change from now on, until the token is gone or cancelled.
    ///
    /// A closure that is made on the main actor is called there. Calls come one after the other.
    public func observe(
        _ body: @escaping @isolated(any) @Sendable (FlagReferenceChange) async -> Void
    ) -> FlagObservation {
        FlagObservation.of(self, body)
    }
}

extension FlagObservation {
    /// Calls a closure with each element. The iteration has begun when this returns, so nothing is missed until the task
    /// runs.
    fileprivate static func of<Changes: AsyncSequence>(
        _ changes: Changes, _ body: @escaping @isolated(any) @Sendable (Changes.Element) async -> Void
    ) -> FlagObservation where Changes.Failure == Never, Changes.AsyncIterator: Sendable, Changes.Element: Sendable {
        let iterator = changes.makeAsyncIterator()
        return FlagObservation(
            Task {
                var iterator = iterator
                while let change = await iterator.next(isolation: nil) { await body(change) }
            })
    }
}
