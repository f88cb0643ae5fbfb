import TacklineCore

/// Runs an operation in which flags have the given values, for the current task and its children.
///
/// ```swift
/// withFlags { $0.set(\AppFlags.newCheckout, true) } operation: {
///     #expect(Checkout(flags).steps == 2)
/// }
/// ```
///
/// Tests that run in parallel do not see each other's values. Child tasks and `Task { }` do; `Task.detached` and
/// dispatch queues do not. A task that outlives the operation reads as outside of it once the operation has returned.
/// Scopes nest, and the innermost value holds. While a scope is active anywhere in the process,
/// reads take a slower path; without any they cost nothing extra.
///
/// In XCTest, wrap every test of a class by overriding `invokeTest()`:
///
/// ```swift
/// override func invokeTest() {
///     withFlags { $0.set(\AppFlags.newCheckout, true) } operation: { super.invokeTest() }
/// }
/// ```
@discardableResult
public func withFlags<Success, Failure: Error>(
    _ overrides: (inout ScopedFlagValues) -> Void, operation: () throws(Failure) -> Success
) throws(Failure) -> Success {
    try withFlags(ScopedFlagValues(overrides), operation: operation)
}

/// Runs an asynchronous operation in which flags have the given values, for the current task and its children.
///
/// It runs where the caller runs. For the rest see the synchronous form.
@discardableResult
public func withFlags<Success, Failure: Error>(
    _ overrides: (inout ScopedFlagValues) -> Void, operation: () async throws(Failure) -> Success
) async throws(Failure) -> Success {
    try await withFlags(ScopedFlagValues(overrides), operation: operation)
}

/// Runs an operation under overrides that were made before, such as one of ``FlagCombinations``.
@discardableResult
public func withFlags<Success, Failure: Error>(
    _ overrides: ScopedFlagValues, operation: () throws(Failure) -> Success
) throws(Failure) -> Success {
    overrides.reportIssues()
    return try FlagScope.run(overrides.scope, operation: operation)
}

/// Runs an asynchronous operation under overrides that were made before, such as one of ``FlagCombinations``.
@discardableResult
public func withFlags<Success, Failure: Error>(
    _ overrides: ScopedFlagValues, operation: () async throws(Failure) -> Success
) async throws(Failure) -> Success {
    overrides.reportIssues()
    return try await FlagScope.run(overrides.scope, operation: operation)
}

extension ScopedFlagValues {
    /// Fails the current test, where there is one that this library knows of, for each key path without a flag.
    fileprivate func reportIssues() {
        for issue in issues where !TestFailure.record(issue) { FlagIssueReporter.current.report(issue) }
    }
}
