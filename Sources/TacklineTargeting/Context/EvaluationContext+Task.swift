import Synchronization

extension EvaluationContext {
    /// The context of the current task; `nil` outside `withEvaluationContext`.
    public static var current: EvaluationContext? { EvaluationScope.current?.context }
}

/// Runs an operation for one subject, such as a request of a server or a job for one customer.
///
/// ```swift
/// try await withEvaluationContext(EvaluationContext(targetingKey: request.userID)) {
///     if flags.reservations { … }
/// }
/// ```
///
/// The context applies to this task and its children only, however many requests run at once. Only providers made with
/// ``EvaluationContext/Source/task(fallback:)`` use it: the app's context and a fixed context are the same in every task.
/// An inner context replaces the outer one; use ``EvaluationContext/merging(_:)`` to add to it.
///
/// From its first read until the operation ends, each of these providers answers from one document, even if a new one
/// arrives. The flags that a request reads one by one therefore belong together. An operation that lasts for hours,
/// such as a connection, doesn't see new documents; begin an inner scope for each message.
public func withEvaluationContext<Success, Failure: Error>(
    _ context: EvaluationContext, operation: () throws(Failure) -> Success
) throws(Failure) -> Success {
    let result: Result<Success, Failure> = EvaluationScope.$current.withValue(EvaluationScope(context)) {
        do throws(Failure) { return .success(try operation()) } catch { return .failure(error) }
    }
    return try result.get()
}

/// Runs an asynchronous operation for one subject, such as a request of a server or a job for one customer.
///
/// The context applies to this task and its children only, however many requests run at once. From its first read until
/// the operation ends, each provider answers from one document. For the rest see the synchronous form.
public func withEvaluationContext<Success, Failure: Error>(
    _ context: EvaluationContext, operation: () async throws(Failure) -> Success
) async throws(Failure) -> Success {
    let result: Result<Success, Failure> = await EvaluationScope.$current.withValue(EvaluationScope(context)) {
        do throws(Failure) { return .success(try await operation()) } catch { return .failure(error) }
    }
    return try result.get()
}

/// The context of a task, and the documents that its reads use.
final class EvaluationScope: Sendable {
    @TaskLocal static var current: EvaluationScope?

    let context: EvaluationContext
    /// One document for each provider that was asked. There are very few, so they are searched in turn. The store is
    /// retained, so that no other one gets its identity.
    private let documents = Mutex<[(store: DefinitionsStore, definitions: FlagDefinitions)]>([])

    init(_ context: EvaluationContext) {
        self.context = context
    }

    /// Returns the document that a store had in force when it was first asked in this scope.
    func definitions(of store: DefinitionsStore) -> FlagDefinitions {
        documents.withLock { documents in
            if let known = documents.first(where: { $0.store === store }) { return known.definitions }
            let new = store.definitions
            documents.append((store, new))
            return new
        }
    }
}
