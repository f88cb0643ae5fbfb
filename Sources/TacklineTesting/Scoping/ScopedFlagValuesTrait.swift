#if canImport(Testing)
    public import TacklineCore
    public import Testing

    /// Gives flags values for one test, or for every test of a suite: `@Test(.flags(\AppFlags.newCheckout, true))`.
    ///
    /// The values hold as in `withFlags(_:operation:)`, so tests with different values run in
    /// parallel. A test's own trait wins over that of its suite, and of several traits the last one.
    public struct ScopedFlagValuesTrait: TestTrait, SuiteTrait, TestScoping {
        let overrides: ScopedFlagValues

        /// A suite hands the trait to its tests.
        public var isRecursive: Bool { true }

        /// Runs the test in the scope.
        public func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
        ) async throws {
            try await withFlags(overrides) { try await function() }
        }
    }

    extension Trait where Self == ScopedFlagValuesTrait {
        /// Gives one flag a value.
        public static func flags<Collection: FlagCollectionProtocol, Value: FlagValue>(
            _ flag: KeyPath<Collection, Value>, _ value: Value
        ) -> Self {
            ScopedFlagValuesTrait(overrides: ScopedFlagValues { $0.set(flag, value) })
        }

        /// Gives several flags values: `.flags { $0.set(\AppFlags.newCheckout, true); $0.set(\AppFlags.limit, 3) }`.
        public static func flags(_ overrides: (inout ScopedFlagValues) -> Void) -> Self {
            ScopedFlagValuesTrait(overrides: ScopedFlagValues(overrides))
        }
    }
#endif
