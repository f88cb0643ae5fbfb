public import TacklineCore

/// Checks a provider against everything that a loader expects of it. Runs in any test framework.
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
/// A provider gets the checks that apply to what it is: one that cannot be written is not written to, one that cannot
/// tell changes is not asked for notices. ``Report/skipped`` says what was left out and why. Nothing is timed and
/// nothing sleeps, except that a read which hangs behind a stuck write is given up after ``stuckReadLimit``.
public struct FlagProviderConformance: Sendable {
    let make: @Sendable () async throws -> any FlagProvider
    let held: [FlagKeyPath: EncodedFlagValue]

    /// Changes what a provider holds from outside, such as by giving a test server a new answer and refreshing.
    ///
    /// It is for providers that are not writable and yet change. When it returns, the change is visible and announced.
    public var change: (@Sendable (any FlagProvider, [FlagKeyPath: EncodedFlagValue?]) async throws -> Void)?

    /// Starts a write that gets stuck in its slowest part, calls the closure while it is stuck, and then lets it finish.
    ///
    /// Without it, that reads never wait for a slow write is not checked, since nobody else knows where a write waits.
    public var stuckWrite: (@Sendable (any FlagProvider, _ whileStuck: @Sendable () -> Void) async throws -> Void)?

    /// Whether a value that was read back stands for the one that was written. Equality by default.
    ///
    /// For a format that cannot tell, say, a date from a text. It gets the written value first.
    public var isSame: @Sendable (_ written: EncodedFlagValue, _ read: EncodedFlagValue) -> Bool = { $0 == $1 }

    /// How many writes the concurrent checks make altogether. Lower it for a provider whose writes are slow.
    public var concurrentWrites = 400

    /// How long a read may take while a write is stuck. Only a provider that breaks the rule waits as long.
    public var stuckReadLimit = Duration.seconds(60)

    /// Makes the suite for a kind of provider.
    ///
    /// - Parameters:
    ///   - values: What a fresh provider answers. Read-only providers need it, or hardly anything can be checked. Use
    ///     keys with a group in both shapes, flat and nested, if your format has both.
    ///   - make: Makes a fresh provider that shares nothing with the ones before. Called at most once for
    ///     each check.
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
        for check in FlagProviderCheck.allCases {
            let run = FlagProviderCheckRun(check)
            do {
                try await self.run(check, in: run)
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

    /// Runs every check that applies, and returns what failed; empty if the provider keeps all the rules.
    public func failures() async -> [FlagProviderConformanceFailure] {
        await report().failures
    }

    /// Runs every check that applies, and throws what failed.
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
        case .neighbours: try await checkNeighbours(run)
        case .completeNotices: try await checkCompleteNotices(run)
        case .unchangedValues: try await checkUnchangedValues(run)
        case .everyObserver: try await checkEveryObserver(run)
        case .weakObservers: try await checkWeakObservers(run)
        case .concurrentReadsAndWrites: try await checkConcurrentReadsAndWrites(run)
        case .orderOfNotices: try await checkOrderOfNotices(run)
        case .lastNotice: try await checkLastNotice(run)
        case .readsDoNotWait: try await checkReadsDoNotWait(run)
        }
    }
}
