#if canImport(Testing)
    import Synchronization
    import TacklineCore
    import Testing

    /// The runs of a test with all combinations of values of the flags that it reads.
    ///
    /// Apart from the values of the flags, nothing decides what a test does, so its runs are the paths of a tree. A run
    /// stands for all combinations with the values that it read. The others are divided into branches: for each flag that was
    /// read, and each other value of it, the combinations with that value and with the same values of the flags that were read
    /// before it (C. Boyapati, S. Khurshid, D. Marinov, *Korat*, ISSTA 2002, prunes in the same way). When no branch is left,
    /// each combination is in one run. Branches with fewer changed values are run first, so one that fails has changed no
    /// value without need.
    struct FlagExploration: Sendable {
        /// The combinations in which some flags have certain values and others keep their own.
        private struct Branch {
            var choices: [FlagChoice] = []
            /// The flags whose other values are in other branches.
            var settled: Set<FlagKeyPath.Identity> = []

            var values: ScopedFlagValues { ScopedFlagValues { values in choices.forEach { values.add($0.values) } } }

            /// Returns whether the values of another branch are among those of this one.
            func includes(_ other: Branch) -> Bool { other.choices.allSatisfy(choices.contains) }
        }

        private let flags: [FlagKeyPath.Identity: AnyFlagHandle]
        private let given: [FlagKeyPath.Identity: [FlagChoice]]
        /// The mistakes in the key paths of variations.
        private let issues: [FlagError]
        private let limit: Int
        private let allowsIncomplete: Bool
        /// The number of failures after which no further ones are looked for.
        private static let maximumFailures = 3

        init(of collections: [[AnyFlagHandle]], over variations: FlagVariations, limit: Int, allowsIncomplete: Bool) {
            let varied = variations.factors.filter { !$0.choices.isEmpty }
            flags = Dictionary(
                (collections.joined() + varied.map { $0.choices[0].flag }).map { ($0.identity, $0) }
            ) { first, _ in first }
            given = Dictionary(uniqueKeysWithValues: varied.map { ($0.choices[0].flag.identity, $0.choices) })
            issues = variations.factors.compactMap(\.issue)
            (self.limit, self.allowsIncomplete) = (max(1, limit), allowsIncomplete)
        }

        /// Runs the test until no branch is left, the limit is reached, or enough failures are found.
        ///
        /// - Throws: The error of the first run, or that of a run that was cancelled.
        func run(
            _ test: Test, _ testCase: Test.Case, _ function: @concurrent @Sendable () async throws -> Void
        ) async throws {
            for issue in issues { Issue.record(issue, sourceLocation: test.sourceLocation) }
            var (branches, next, runs) = ([Branch()], 0, 0)
            var (failed, unread) = ([Branch](), [Branch]())
            var names: [String: Bool] = [:]
            while next < branches.count, runs < limit, failed.count < Self.maximumFailures {
                let branch = branches[next]
                next += 1
                if failed.contains(where: branch.includes) { continue }
                runs += 1
                let text = "run \(runs), with \(branch.values)"
                let comment: Comment = "This is \(text). With the flags' own values the test passes."
                let outcome = await attempt(branch, runs == 1 ? nil : comment, test, testCase, function)
                if Task.isCancelled {
                    if runs > 1 {
                        let rest = "\(branches.count - next) or more combinations were left out."
                        Issue.record("The test was cancelled in \(text). \(rest)", sourceLocation: test.sourceLocation)
                    }
                    throw outcome.error ?? CancellationError()
                }
                if runs == 1, let error = outcome.error { throw error }
                if outcome.hasFailed {
                    if runs == 1 { return }
                    failed.append(branch)
                    continue
                }
                let changed = Set(branch.choices.map(\.flag.identity))
                if !changed.isSubset(of: outcome.reads.map(\.flag.identity)) { unread.append(branch) }
                var settled = branch.settled.union(changed)
                for read in outcome.reads where settled.insert(read.flag.identity).inserted {
                    let others = (given[read.flag.identity] ?? read.flag.choices).filter { $0 != read }
                    names[read.flag.property] = names[read.flag.property] == true || !others.isEmpty
                    for other in others {
                        branches.append(Branch(choices: branch.choices + [other], settled: settled))
                    }
                }
            }
            let rest = branches[next...].filter { branch in !failed.contains(where: branch.includes) }
            if failed.count < Self.maximumFailures, !rest.isEmpty {
                recordIncomplete(
                    """
                    After \(limit) runs, \(rest.count) or more combinations were left out: \(Self.list(rest)). The test may fail \
                    with them. Raise the limit, give fewer values with vary(_:over:), or test less at once; \
                    allowsIncomplete: true records this and lets the test pass.
                    """, test)
            }
            if !unread.isEmpty {
                recordIncomplete(
                    """
                    \(unread.count) of \(runs) runs did not read a flag that they were made for: \(Self.list(unread)). The test \
                    keeps a value from an earlier run, for example in a static property, or depends on more than its flags. Make \
                    what it tests anew in each run.
                    """, test)
            }
            if names.isEmpty {
                recordIncomplete("The test read no flag to vary. Let it read some, or remove the trait.", test)
            } else if failed.isEmpty, rest.isEmpty, unread.isEmpty {
                attachSummary(runs, names, test)
            }
        }

        /// Runs the test with the values of a branch.
        private func attempt(
            _ branch: Branch, _ comment: Comment?, _ test: Test, _ testCase: Test.Case,
            _ function: @concurrent @Sendable () async throws -> Void
        ) async -> (reads: [FlagChoice], error: (any Error)?, hasFailed: Bool) {
            let recorder = FlagReads(of: Set(flags.keys.map(\.root)))
            let scope = FlagScope(recorder: recorder).adding(branch.values.scope)
            let hasFailed = Mutex(false)
            let handler = IssueHandlingTrait.compactMapIssues { issue in
                guard issue.failsTest else { return issue }
                hasFailed.withLock { $0 = true }
                var issue = issue
                if let comment { issue.comments.append(comment) }
                return issue
            }
            // In a child task, so that a test that cancels its own task ends this run only.
            async let end: (any Error)? = {
                do {
                    try await handler.provideScope(for: test, testCase: testCase) {
                        try await FlagReads.$current.withValue(recorder) {
                            try await FlagScope.run(scope) { try await function() }
                        }
                    }
                    return nil
                } catch {
                    return error
                }
            }()
            let error = await end
            // A requirement that failed has recorded an issue, and the first run throws its error.
            if let comment, let error, !(error is ExpectationFailedError), !Task.isCancelled {
                Issue.record(error, comment, sourceLocation: test.sourceLocation)
            }
            let reads = recorder.reads.withLock { $0 }.compactMap { key, declaration, value -> FlagChoice? in
                // The flag with this number may be another one in the construction of another loader.
                guard let flag = flags[key], flag.valueType == declaration.valueType, !flag.isComputed else {
                    return nil
                }
                return FlagChoice(of: flag, value)
            }
            return (reads, error, error != nil || hasFailed.withLock { $0 })
        }

        // MARK: Reports

        private func recordIncomplete(_ comment: String, _ test: Test) {
            withKnownIssue(sourceLocation: test.sourceLocation) {
                Issue.record(Comment(rawValue: comment), sourceLocation: test.sourceLocation)
            } when: {
                allowsIncomplete
            }
        }

        /// - Parameter names: The flags that were read, and whether each has several values to try.
        private func attachSummary(_ runs: Int, _ names: [String: Bool], _ test: Test) {
            func list(_ isVaried: Bool) -> String {
                names.filter { $0.value == isVaried }.keys.sorted().joined(separator: ", ")
            }
            Attachment.record(
                "Flags with every value: \(list(true))\nFlags with one value only: \(list(false))\n",
                named: "\(runs) \(runs == 1 ? "run" : "runs") of \(test.name).txt", sourceLocation: test.sourceLocation)
        }

        private static func list(_ branches: [Branch]) -> String {
            let texts = branches.prefix(10).map { "(\($0.values))" }.joined(separator: ", ")
            return branches.count > 10 ? "\(texts) and others" : texts
        }
    }

    /// The flags that a run reads, with the first value of each.
    private final class FlagReads: FlagReadRecorder {
        /// The reads of the exploration that the current task is in.
        @TaskLocal static var current: FlagReads?

        private let collections: Set<ObjectIdentifier>
        /// The reads of an exploration of other collections around this one.
        private let outer = current
        /// The flags in the order of their first reads.
        let reads = Mutex<[(key: FlagKeyPath.Identity, declaration: FlagDeclaration, value: ErasedFlagValue)]>([])

        init(of collections: Set<ObjectIdentifier>) { self.collections = collections }

        func flagWasRead(_ key: FlagKeyPath.Identity, _ declaration: FlagDeclaration, _ value: ErasedFlagValue) {
            guard collections.contains(key.root) else { return outer?.flagWasRead(key, declaration, value) ?? () }
            reads.withLock { reads in
                // A loop, because a test reads few flags, and each of them often.
                if !reads.contains(where: { $0.key == key }) { reads.append((key, declaration, value)) }
            }
        }
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
