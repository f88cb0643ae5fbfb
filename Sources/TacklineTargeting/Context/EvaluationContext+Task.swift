extension EvaluationContext {
    /// The context of the current task; `nil` outside `withEvaluationContext`.
    @TaskLocal public static var current: EvaluationContext?
}

/// Runs an operation for one subject: a request of a server, a job for one customer.
///
/// ```swift
/// try await withEvaluationContext(EvaluationContext(targetingKey: request.userID)) {
///     if flags.reservations { … }
/// }
/// ```
///
/// The context holds for this task and its children, and for nobody else, however many requests run at once. Providers made
/// with ``FlagContextSource/task(fallback:)`` go by it, and no others: the app's one context and a fixed one mean the same in
/// every task. An inner context replaces the outer one; use
/// ``EvaluationContext/merging(_:)`` to add to it.
public func withEvaluationContext<Success, Failure: Error>(
    _ context: EvaluationContext, operation: () throws(Failure) -> Success
) throws(Failure) -> Success {
    let result: Result<Success, Failure> = EvaluationContext.$current.withValue(context) {
        do throws(Failure) { return .success(try operation()) } catch { return .failure(error) }
    }
    return try result.get()
}

/// Runs an asynchronous operation for one subject: a request of a server, a job for one customer.
///
/// The context holds for this task and its children, and for nobody else, however many requests run at once. For the rest see
/// the synchronous form.
public func withEvaluationContext<Success, Failure: Error>(
    _ context: EvaluationContext, operation: () async throws(Failure) -> Success
) async throws(Failure) -> Success {
    let result: Result<Success, Failure> = await EvaluationContext.$current.withValue(context) {
        do throws(Failure) { return .success(try await operation()) } catch { return .failure(error) }
    }
    return try result.get()
}
