public import TacklineCore

#if canImport(Testing)
    public import Testing
#endif

/// A test suite that checks a provider against everything that a loader expects of it.
///
/// ```swift
/// @Test func keepsTheRules() async {
///     await FlagProviderConformance { MyProvider() }.expectConformance()
/// }
/// ```
///
/// Only the checks that apply to a provider run: one that can't be written is not written to, and one that doesn't
/// notify observers is not checked for notices. A provider whose reads wait fails for that alone, within a second, and is
/// checked for the rest once they don't. Each failure names the check, the key, the fault, and what to change.
public struct FlagProviderConformance: Sendable {
    let make: @Sendable () async throws -> any FlagProvider
    /// The values of a fresh provider, sorted by key.
    let held: [(key: FlagKeyPath, value: EncodedFlagValue)]

    /// Changes the values of a provider from outside, for example with a new response of a test server and a refresh.
    ///
    /// Set it for providers that are not writable but change. When it returns, the change must be visible and observers
    /// notified. The closure may throw for a value of a kind that the source doesn't take at a key.
    public var change: (@Sendable (any FlagProvider, [FlagKeyPath: EncodedFlagValue?]) async throws -> Void)?

    /// Starts a write that gets stuck in its slowest part, calls the closure while it is stuck, and then lets it
    /// finish.
    ///
    /// Without it, the suite only sees whether reads return during writes that take longer than a millisecond.
    public var stuckWrite: (@Sendable (any FlagProvider, _ whileStuck: @Sendable () -> Void) async throws -> Void)?

    /// Changes the values in the source of a refreshable provider, so that its next refresh sees them.
    ///
    /// Without it, the keys that a refresh returns are not checked. Values that are `nil` are removed from the source.
    public var changeSource: (@Sendable (any FlagProvider, [FlagKeyPath: EncodedFlagValue?]) async throws -> Void)?

    /// Returns whether a value that was read represents the one that was written.
    ///
    /// The default is equality, except that -0.0 and 0.0 differ. Set it for a format that can't distinguish some values,
    /// such as a date from a text.
    public var isSame: @Sendable (_ written: EncodedFlagValue, _ read: EncodedFlagValue) -> Bool = { written, read in
        if case (.double(let written), .double(let read)) = (written, read), written == 0, written.sign != read.sign {
            return false
        }
        return written == read
    }

    /// Whether the provider may be read on the thread of its notices, because its lock is recursive.
    ///
    /// Other threads wait for such a lock, so only a read on the same thread shows that a change is announced before it can
    /// be read. Under any other lock that read never returns, or ends the process (`Mutex`), so nothing can find out which
    /// lock it is. Loaders don't read there, and get the new value in either case.
    public var isReadInNotices = false

    /// The largest number of concurrent writes. Slow writes are fewer: each thread stops after a quarter of a second, or
    /// ten writes if that takes longer.
    public var concurrentWrites = 400

    /// The time after which a read that hasn't returned counts as blocked. Only a provider that breaks the rule takes
    /// that long.
    public var stuckReadLimit = Duration.milliseconds(500)

    /// Creates the suite for a kind of provider.
    ///
    /// - Parameters:
    ///   - values: The values of a fresh provider. Without them, hardly anything can be checked for read-only
    ///     providers. If your format has flat and nested keys, include both.
    ///   - make: Returns a fresh provider that shares nothing with earlier ones. Called at most once for each check.
    public init(
        holding values: [FlagKeyPath: EncodedFlagValue] = [:],
        making make: @escaping @Sendable () async throws -> any FlagProvider
    ) {
        held = values.sorted { $0.key.text < $1.key.text }
        self.make = make
    }

    #if canImport(Testing)
        /// Runs every check that applies, and fails the current test for each failure.
        public func expectConformance(sourceLocation: SourceLocation = #_sourceLocation) async {
            for failure in await report().failures {
                if Test.current != nil {
                    Issue.record(failure, sourceLocation: sourceLocation)
                } else {
                    _ = TestFailure.record(failure)
                }
            }
        }
    #endif

    /// Runs every check that applies.
    package func report() async -> Report {
        let results = ConformanceResults()
        let parts: [(ConformanceRun) -> () async throws -> Void] = [
            ConformanceRun.checkReads, ConformanceRun.checkValues, ConformanceRun.checkConcurrentWrites,
            ConformanceRun.checkRefreshes,
        ]
        do {
            for check in parts where !results.failed(.readsDoNotWait) {
                try await check(ConformanceRun(self, try await make(), results))()
            }
        } catch {
            results.fail(.name, "the provider, or a closure given to the suite, threw an unexpected error: \(error)")
        }
        if results.failed(.readsDoNotWait) {
            let others = FlagProviderCheck.allCases.filter { $0 != .name }
            results.skip(others, "reads wait, which would hold up this check. Correct that first")
        }
        return results.report
    }
}

/// A rule that the conformance suite checks.
package enum FlagProviderCheck: String, Sendable, CaseIterable {
    case name
    /// Reads return immediately, even while a write is stuck. If they don't, nothing else is checked.
    case readsDoNotWait
    /// There is no value for a key that was not set, and the values that a fresh provider should hold are there.
    case absentKeys, heldValues
    /// After each write, all values are as in a `FlagDocument`, whether they are nested or not.
    case flatAndNestedKeys, everyValueType, removal
    /// The document and the provider have the same values.
    case document
    /// Observers are notified of every change once, before the write returns, and of nothing else.
    case completeNotices, unchangedValues, everyObserver
    /// The provider doesn't retain observers.
    case weakObservers
    /// While several threads write, reads return whole values and none older than was announced, and the notices arrive one
    /// after the other in the order of the changes.
    case concurrentWrites
    /// A refresh takes over its source, and returns and announces the keys whose values it changed, and no others.
    case refreshedKeys
}

extension FlagProviderConformance {
    /// A rule that a provider broke.
    package struct Failure: Error, Hashable, CustomStringConvertible {
        package let check: FlagProviderCheck
        package let message: String

        package var description: String { "\(check): \(message)" }
    }

    /// The result of a run of the suite. Each check passed, failed, or was left out for a reason.
    package struct Report: Sendable {
        /// The failures, at most ten for each check.
        package internal(set) var failures: [Failure] = []
        package internal(set) var skipped: [(check: FlagProviderCheck, reason: String)] = []

        package var passed: [FlagProviderCheck] {
            let others = failures.map(\.check) + skipped.map(\.check)
            return FlagProviderCheck.allCases.filter { !others.contains($0) }
        }
    }
}
