#if canImport(Testing)
    public import TacklineCore
    public import Testing

    /// A trait that sets flags for a test (`.flags`), or that runs it with all values of the flags that it reads
    /// (`.everyFlagRead`). On a suite it is a trait of each of its tests.
    public struct FlagsTrait: TestTrait, SuiteTrait, TestScoping {
        fileprivate let run:
            @Sendable (Test, Test.Case, @concurrent @Sendable () async throws -> Void) async throws -> Void

        /// Whether a suite passes the trait on to its tests, which is always the case.
        public var isRecursive: Bool { true }

        /// Runs the test in the scope of the values, or as often as its flags demand.
        public func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
        ) async throws {
            guard let testCase else { return try await function() }
            try await run(test, testCase, function)
        }

        fileprivate static func setting(_ values: ScopedFlagValues) -> FlagsTrait {
            FlagsTrait { _, _, function in try await withFlags(values) { try await function() } }
        }
    }

    extension Trait where Self == FlagsTrait {
        /// Returns a trait that sets one flag: `@Test(.flags(\AppFlags.newCheckout, true))`.
        ///
        /// The value holds as in `withFlags(_:_:operation:)`, so tests with different values run in parallel. A test's own
        /// trait takes precedence over that of its suite, and of several traits the last one counts.
        public static func flags<Collection: FlagCollectionProtocol, Value: FlagValue>(
            _ flag: KeyPath<Collection, Value>, _ value: Value
        ) -> Self {
            .setting(ScopedFlagValues { $0.set(flag, to: value) })
        }

        /// Returns a trait that sets several flags of a collection:
        /// `.flags(AppFlags.self) { $0.set(\.newCheckout, to: true); $0.set(\.limit, to: 3) }`.
        public static func flags<Collection: FlagCollectionProtocol>(
            _ type: Collection.Type, _ values: (inout FlagAssignments<Collection>) -> Void
        ) -> Self {
            .setting(ScopedFlagValues { $0.add(FlagAssignments(values)) })
        }

        /// Returns a trait that runs a test with every combination of values of the flags that it reads:
        /// `@Test(.everyFlagRead(by: AppFlags.self))`.
        ///
        /// The first run has the values that the flags have anyway. For each flag that it reads, the test is run again with
        /// the other values, and so on for the flags that are read then. A test that reads three Boolean flags is run
        /// eight times at most, however many flags there are, and `a && b && c` four times. If the first run fails, no other
        /// follows. An issue of a later run has a comment with its values, which are a smallest set with which the test
        /// fails; up to three such sets are looked for. The runs are one after the other, within the test's time limit.
        ///
        /// The values are `false` and `true`, the cases of a type that lists at most 32, the least and the greatest value of
        /// a range and the values of a list in bounds, and `nil` for an optional. A flag of another type keeps its
        /// value, unless `variations` gives values for it:
        /// `.everyFlagRead(by: AppFlags.self) { $0.vary(\AppFlags.limit, over: [0, 100]) }`. A flag stays as it is if the
        /// test sets it, by `.flags` or `withFlags`. A computed flag has no values of its own: those that it reads are varied.
        ///
        /// A test that passes has an attachment whose name says in how many runs.
        ///
        /// - Parameters:
        ///   - types: The root collections whose flags are varied, in all their loaders.
        ///   - limit: The largest number of runs. If combinations are left out, or no flag is read, the test fails.
        ///   - allowsIncomplete: Whether that is a known issue instead, with which the test passes.
        ///   - variations: Gives the values to try for some flags, in place of those of their types and bounds.
        public static func everyFlagRead<each Collection: FlagCollectionProtocol>(
            by types: repeat (each Collection).Type, limit: Int = 256, allowsIncomplete: Bool = false,
            _ variations: (inout FlagVariations) -> Void = { _ in }
        ) -> Self {
            var flags: [[AnyFlagHandle]] = []
            for type in repeat each types { flags.append(FlagProbe.flags(of: type)) }
            let exploration = FlagExploration(
                of: flags, over: FlagVariations(variations), limit: limit, allowsIncomplete: allowsIncomplete)
            return FlagsTrait { try await exploration.run($0, $1, $2) }
        }
    }

    extension FlagProbe {
        fileprivate static func flags(of type: Collection.Type) -> [AnyFlagHandle] { flags }
    }
#endif
