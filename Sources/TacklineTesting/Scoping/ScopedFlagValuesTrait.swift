#if canImport(Testing)
    public import TacklineCore
    public import Testing

    /// A trait that sets flags for one test, or for every test of a suite:
    /// `@Test(.flags(\AppFlags.newCheckout, true))`.
    ///
    /// The values hold as in `withFlags(_:operation:)`, so tests with different values run in parallel. A test's own
    /// trait takes precedence over that of its suite, and of several traits the last one counts.
    public struct ScopedFlagValuesTrait: TestTrait, SuiteTrait, TestScoping {
        let overrides: ScopedFlagValues

        /// Whether a suite passes the trait on to its tests, which is always the case.
        public var isRecursive: Bool { true }

        /// Runs the test in the scope of the values.
        public func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
        ) async throws {
            try await withFlags(overrides) { try await function() }
        }
    }

    extension Trait where Self == ScopedFlagValuesTrait {
        /// Returns a trait that sets one flag.
        public static func flags<Collection: FlagCollectionProtocol, Value: FlagValue>(
            _ flag: KeyPath<Collection, Value>, _ value: Value
        ) -> Self {
            ScopedFlagValuesTrait(overrides: ScopedFlagValues { $0.set(flag, to: value) })
        }

        /// Returns a trait that sets several flags of a collection:
        /// `.flags(AppFlags.self) { $0.set(\.newCheckout, to: true); $0.set(\.limit, to: 3) }`.
        public static func flags<Collection: FlagCollectionProtocol>(
            _ type: Collection.Type, _ values: (inout FlagAssignments<Collection>) -> Void
        ) -> Self {
            ScopedFlagValuesTrait(overrides: ScopedFlagValues(type, values))
        }

        /// Returns a trait that sets flags of several collections:
        /// `.flags { $0.set(\AppFlags.newCheckout, to: true); $0.set(\SearchFlags.limit, to: 3) }`.
        public static func flags(_ overrides: (inout ScopedFlagValues) -> Void) -> Self {
            ScopedFlagValuesTrait(overrides: ScopedFlagValues(overrides))
        }
    }
#endif
