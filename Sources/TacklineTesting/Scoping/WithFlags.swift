public import TacklineCore

/// Runs an operation in which flags have the given values, for the current task and its child tasks.
///
/// ```swift
/// withFlags(AppFlags.self) { $0.set(\.newCheckout, to: true) } operation: {
///     #expect(Checkout(flags).steps == 2)
/// }
/// ```
///
/// Tests that run in parallel don't see each other's values. Child tasks and `Task { }` inherit the values;
/// `Task.detached` and dispatch queues don't. A task that outlives the operation no longer sees the values once the
/// operation has returned. Scopes nest, and the innermost value counts. While a scope is active anywhere in the
/// process, reads take a slower path; otherwise there is no cost.
///
/// In XCTest, wrap every test of a class by overriding `invokeTest()`:
///
/// ```swift
/// override func invokeTest() {
///     withFlags(AppFlags.self) { $0.set(\.newCheckout, to: true) } operation: { super.invokeTest() }
/// }
/// ```
@discardableResult
public func withFlags<Collection: FlagCollectionProtocol, Success, Failure: Error>(
    _ type: Collection.Type, _ values: (inout FlagAssignments<Collection>) -> Void,
    operation: () throws(Failure) -> Success
) throws(Failure) -> Success {
    try withFlags(ScopedFlagValues(type, values), operation: operation)
}

/// Runs an asynchronous operation in which flags have the given values, for the current task and its child tasks.
///
/// It runs on the caller's actor. For everything else, see the synchronous function.
@discardableResult
public func withFlags<Collection: FlagCollectionProtocol, Success, Failure: Error>(
    _ type: Collection.Type, _ values: (inout FlagAssignments<Collection>) -> Void,
    operation: () async throws(Failure) -> Success
) async throws(Failure) -> Success {
    try await withFlags(ScopedFlagValues(type, values), operation: operation)
}

/// Runs an operation in which flags of several collections have the given values:
/// `withFlags { $0.set(\AppFlags.newCheckout, to: true); $0.set(\SearchFlags.limit, to: 3) } operation: { … }`.
@discardableResult
public func withFlags<Success, Failure: Error>(
    _ overrides: (inout ScopedFlagValues) -> Void, operation: () throws(Failure) -> Success
) throws(Failure) -> Success {
    try withFlags(ScopedFlagValues(overrides), operation: operation)
}

/// Runs an asynchronous operation in which flags of several collections have the given values.
@discardableResult
public func withFlags<Success, Failure: Error>(
    _ overrides: (inout ScopedFlagValues) -> Void, operation: () async throws(Failure) -> Success
) async throws(Failure) -> Success {
    try await withFlags(ScopedFlagValues(overrides), operation: operation)
}

/// Runs an operation with values that were created before, such as one of ``FlagCombinations``.
@discardableResult
public func withFlags<Success, Failure: Error>(
    _ overrides: ScopedFlagValues, operation: () throws(Failure) -> Success
) throws(Failure) -> Success {
    overrides.reportIssues()
    return try FlagScope.run(overrides.scope, operation: operation)
}

/// Runs an asynchronous operation with values that were created before, such as one of ``FlagCombinations``.
@discardableResult
public func withFlags<Success, Failure: Error>(
    _ overrides: ScopedFlagValues, operation: () async throws(Failure) -> Success
) async throws(Failure) -> Success {
    overrides.reportIssues()
    return try await FlagScope.run(overrides.scope, operation: operation)
}

extension ScopedFlagValues {
    /// Fails the running test for each key path without a flag. If no running test is known, reports the issue instead.
    fileprivate func reportIssues() {
        for issue in issues where !TestFailure.record(issue) { FlagIssueReporter.current.report(issue) }
    }
}
