#if canImport(Testing)
    import Synchronization
    public import TacklineCore
    public import Testing

    /// A trait that runs a test for every combination of values of the flags that it reads:
    /// `@Test(.everyFlagRead(by: AppFlags.self))`.
    ///
    /// The first run has the values that the flags have anyway. For each flag that it reads, the test is run again with
    /// the other values, and so it goes on for flags that are read only then. A test that reads three Boolean flags is
    /// run eight times at most, however many flags there are, and less often if it doesn't read all of them each time.
    /// If the first run fails, no other follows. The runs are one after the other, and within the test's time limit.
    ///
    /// If the test fails with other values, each issue has a comment with the smallest set of values with which it
    /// fails. Up to three such sets are looked for.
    public struct EveryFlagReadTrait: TestTrait, SuiteTrait, TestScoping {
        let cores: [LoaderCore]
        let variations: FlagVariations
        let limit: Int

        /// Whether a suite passes the trait on to its tests, which is always the case.
        public var isRecursive: Bool { true }

        /// Runs the test as often as its flags demand.
        public func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
        ) async throws {
            guard testCase != nil else { return try await function() }
            var exploration = FlagExploration(of: cores, over: variations, limit: limit)
            let run = TestRun(test: test, testCase: testCase)
            try await exploration.explore { exploration, choices in
                try await run(exploration, choices, exploration.runs.isEmpty ? .reported : .hidden, function)
            }
            let causes = try await exploration.causes(atMost: 3) { exploration, choices in
                try await run(exploration, choices, .hidden, function)
            }
            for cause in causes {
                let texts = cause.sorted { $0.key < $1.key }.map { exploration.flags[$0.key].text($0.value) }
                let values = texts.isEmpty ? "the same values" : texts.joined(separator: ", ")
                let comment = Comment(
                    rawValue: """
                        The test fails with \(values), and passes with the flags' own values. It read \
                        \(exploration.flags.count) flags in \(exploration.runs.count) runs.
                        """)
                let outcome = try await run(
                    exploration, exploration.all(with: cause), .commented(comment), function)
                if !outcome.hasFailed {
                    Issue.record(
                        """
                        The test failed with \(values), and then passed with them, so it depends on more than its flags.
                        """, sourceLocation: test.sourceLocation)
                }
            }
        }
    }

    extension Trait where Self == EveryFlagReadTrait {
        /// Returns a trait that runs a test for every combination of values of the flags that it reads.
        ///
        /// The values are `false` and `true`, the cases of a type that lists at most 32, and `nil` for an optional of
        /// these. A flag of another type keeps its value, unless `variations` gives values for it:
        /// `.everyFlagRead(by: AppFlags.self) { $0.vary(\AppFlags.limit, over: [0, 100]) }`. A flag stays as it is if
        /// the test sets it, by `.flags` or `withFlags`. A computed flag has no values of its own: those that it reads
        /// are varied.
        ///
        /// - Parameters:
        ///   - types: The root collections whose flags are varied, in all their loaders.
        ///   - limit: The number of combinations up to which all are run. Beyond it, each pair of values is in a run.
        ///   - variations: Gives the values to try for some flags, in place of those of their types.
        public static func everyFlagRead<each Collection: FlagCollectionProtocol>(
            by types: repeat (each Collection).Type, limit: Int = 64,
            _ variations: (inout FlagVariations) -> Void = { _ in }
        ) -> Self {
            var all = FlagVariations()
            variations(&all)
            var cores: [LoaderCore] = []
            for type in repeat each types {
                cores.append(FlagsLoader(type, providers: [], issueReporter: .silent).core)
            }
            return EveryFlagReadTrait(cores: cores, variations: all, limit: limit)
        }
    }

    /// The runs of one case of a test.
    private struct TestRun {
        /// The way in which the issues of a run are shown.
        enum Report {
            case reported, hidden
            case commented(Comment)
        }

        let test: Test
        let testCase: Test.Case?

        /// Runs the test with some choices, and returns what it read and whether it failed.
        ///
        /// - Throws: The error of a run that is reported, and any error once the test is cancelled.
        func callAsFunction(
            _ exploration: FlagExploration, _ choices: FlagExploration.Choices, _ report: Report,
            _ function: @concurrent @Sendable () async throws -> Void
        ) async throws -> FlagExploration.Outcome {
            let reads = FirstReads()
            let failures = Failures()
            let issues = IssueHandlingTrait.compactMapIssues { issue in
                if issue.failsTest { failures.add(nil) }
                switch report {
                case .reported: return issue
                case .hidden: return nil
                case .commented(let comment):
                    var issue = issue
                    issue.comments.append(comment)
                    return issue
                }
            }
            let scope = exploration.scope(choices, recorder: reads)
            try await issues.provideScope(for: test, testCase: testCase) {
                do {
                    try await FlagScope.run(scope) { try await function() }
                } catch {
                    failures.add(error)
                    // A requirement that failed is an issue already.
                    if case .commented(let comment) = report, !(error is ExpectationFailedError), !Task.isCancelled {
                        Issue.record(error, comment, sourceLocation: test.sourceLocation)
                    }
                }
            }
            let error = failures.error
            if Task.isCancelled {
                warn(exploration, choices)
                throw error ?? CancellationError()
            }
            if case .reported = report, let error { throw error }
            return FlagExploration.Outcome(reads: reads.values, hasFailed: failures.count > 0)
        }

        /// Records the choices of a run that was cancelled, for example by the test's time limit.
        private func warn(_ exploration: FlagExploration, _ choices: FlagExploration.Choices) {
            #if compiler(>=6.3)
                let changes = choices.filter { $0.value != 0 }.sorted { $0.key < $1.key }
                guard !changes.isEmpty else { return }
                let texts = changes.map { exploration.flags[$0.key].text($0.value) }
                Issue.record(
                    "The test was ended in run \(exploration.runs.count + 1), with \(texts.joined(separator: ", ")).",
                    severity: .warning, sourceLocation: test.sourceLocation)
            #endif
        }
    }

    /// The failures of a run.
    private final class Failures: Sendable {
        private let state = Mutex<(count: Int, error: (any Error)?)>((0, nil))

        func add(_ error: (any Error)?) {
            state.withLock { state in
                state.count += 1
                state.error = state.error ?? error
            }
        }

        var count: Int { state.withLock { $0.count } }
        var error: (any Error)? { state.withLock { $0.error } }
    }

    extension Issue {
        /// Whether the issue makes its test fail. A known issue and a warning don't.
        fileprivate var failsTest: Bool {
            #if compiler(>=6.3)
                isFailure
            #else
                true
            #endif
        }
    }
#endif
