public import TacklineCore

/// A test suite that checks a provider against everything that a loader expects of it. It runs in any test framework.
///
/// ```swift
/// @Test func keepsTheRules() async {
///     await FlagProviderConformance { MyProvider() }.expectConformance()         // Swift Testing
/// }
///
/// func testKeepsTheRules() async throws {
///     try await FlagProviderConformance { MyProvider() }.check()                 // anything else
/// }
/// ```
///
/// Only the checks that apply to a provider run: one that can't be written is not written to, and one that doesn't
/// notify observers is not checked for notices. A provider whose reads wait fails
/// ``FlagProviderCheck/readsDoNotWait`` within a second, and is checked for the rest once it doesn't.
/// ``Report/skipped`` has the checks that were left out and the reasons.
/// Each failure message names the key, the fault, and what to change.
///
/// The suite forces the relevant orders of events: it pauses a write in the middle of its notice while other threads
/// read and write. This detects providers whose notices overtake each other.
public struct FlagProviderConformance: Sendable {
    let make: @Sendable () async throws -> any FlagProvider
    let held: [FlagKeyPath: EncodedFlagValue]

    /// Changes the values of a provider from outside, for example with a new response of a test server and a refresh.
    ///
    /// Set it for providers that are not writable but change. When it returns, the change must be visible and observers
    /// notified.
    public var change: (@Sendable (any FlagProvider, [FlagKeyPath: EncodedFlagValue?]) async throws -> Void)?

    /// Starts a write that gets stuck in its slowest part, calls the closure while it is stuck, and then lets it
    /// finish.
    ///
    /// Without it, the suite only compares the times of reads with those of writes that take longer than a millisecond.
    public var stuckWrite: (@Sendable (any FlagProvider, _ whileStuck: @Sendable () -> Void) async throws -> Void)?

    /// Changes the values in the source of a refreshable provider, without refreshing the provider.
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

    /// The largest number of writes in each concurrent check. Slow writes are fewer: each thread stops after a quarter
    /// of a second, or ten writes if that takes longer.
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
        held = values
        self.make = make
    }

    /// Runs every check that applies.
    public func report() async -> Report {
        var report = Report()
        var readsWait = false
        for check in FlagProviderCheck.allCases {
            let run = FlagProviderCheckRun(check)
            do {
                if readsWait {
                    run.skip("reads wait, which would hold up this check. Correct that first")
                } else {
                    try await self.run(check, in: run)
                    readsWait = check == .readsDoNotWait && !run.outcome.failures.isEmpty
                }
            } catch {
                run.fail("the provider, or a closure given to the suite, threw an unexpected error: \(error)")
            }
            let outcome = run.outcome
            if !outcome.failures.isEmpty {
                report.failures += outcome.failures
            } else if let reason = outcome.skipReason {
                report.skipped.append(Report.Skip(check: check, reason: reason))
            } else {
                report.passed.append(check)
            }
        }
        return report
    }

    /// Runs every check that applies, and returns the failures. The result is empty if the provider follows all rules.
    public func failures() async -> [FlagProviderConformanceFailure] {
        await report().failures
    }

    /// Runs every check that applies, and throws if there are failures.
    ///
    /// - Throws: ``FlagProviderConformanceError`` with all failures at once.
    public func check() async throws(FlagProviderConformanceError) {
        let failures = await failures()
        if !failures.isEmpty { throw FlagProviderConformanceError(failures: failures) }
    }

    private func run(_ check: FlagProviderCheck, in run: FlagProviderCheckRun) async throws {
        switch check {
        case .name: try await checkName(run)
        case .absentKeys: try await checkAbsentKeys(run)
        case .heldValues: try await checkHeldValues(run)
        case .flatAndNestedKeys: try await checkFlatAndNestedKeys(run)
        case .document: try await checkDocument(run)
        case .everyValueType: try await checkEveryValueType(run)
        case .removal: try await checkRemoval(run)
        case .completeNotices: try await checkCompleteNotices(run)
        case .unchangedValues: try await checkUnchangedValues(run)
        case .everyObserver: try await checkEveryObserver(run)
        case .weakObservers: try await checkWeakObservers(run)
        case .concurrentReadsAndWrites: try await checkConcurrentReadsAndWrites(run)
        case .readableChanges: try await checkReadableChanges(run)
        case .orderOfNotices: try await checkOrderOfNotices(run)
        case .lastNotice: try await checkLastNotice(run)
        case .readsDoNotWait: try await checkReadsDoNotWait(run)
        case .refreshedKeys: try await checkRefreshedKeys(run)
        }
    }
}
