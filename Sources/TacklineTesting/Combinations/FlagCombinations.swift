/// Combinations of flag values for tests.
///
/// ```swift
/// @Test(arguments: FlagCombinations.all { $0.vary(\AppFlags.newCheckout); $0.vary(\AppFlags.theme) })
/// func totalIsRight(flags: ScopedFlagValues) {
///     withFlags(flags) { #expect(Checkout().total == 42) }
/// }
/// ```
public enum FlagCombinations {
    /// The largest number of combinations that `all` generates.
    public static let limit = 65_536

    /// Returns every combination. The last flag varies fastest.
    ///
    /// Traps with advice if there are more than ``limit`` combinations, such as seventeen flags with two values each.
    ///
    /// - Parameter variations: Adds the flags and their values.
    public static func all(_ variations: (inout FlagVariations) -> Void) -> [ScopedFlagValues] {
        let factors = FlagVariations(variations).factors
        let rows = factors.reduce([[]]) { rows, factor -> [[Int]] in
            precondition(
                factor.values.count <= limit / rows.count,
                "All combinations of \(factors.count) flags are more than \(limit). Use FlagCombinations.pairwise.")
            return rows.flatMap { row in factor.values.indices.map { row + [$0] } }
        }
        return values(factors, rows)
    }

    /// Returns a small set of combinations in which each value of a flag occurs with each value of every other flag at
    /// least once.
    ///
    /// Most faults that depend on flags depend on one or two of them. Twenty flags with two values each take eleven
    /// combinations instead of a million. The result is the same each time.
    ///
    /// Each combination starts with the value that most missing pairs contain. The other flags follow, each with the value
    /// that adds the most missing pairs (after D. Cohen, S. Dalal, M. Fredman, G. Patton, *The AETG System*, IEEE
    /// Transactions on Software Engineering 23, 1997).
    ///
    /// - Parameter variations: Adds the flags and their values.
    /// - Complexity: O(*n*² · *v*² · *m*) for *n* flags with *v* values each and *m* combinations.
    public static func pairwise(_ variations: (inout FlagVariations) -> Void) -> [ScopedFlagValues] {
        let factors = FlagVariations(variations).factors
        return values(factors, PairwiseDesign(counts: factors.map(\.values.count)).rows)
    }

    private static func values(_ factors: [FlagVariations.Factor], _ rows: [[Int]]) -> [ScopedFlagValues] {
        rows.map { choices in
            ScopedFlagValues { values in
                for (factor, choice) in zip(factors, choices) { values.add(factor.values[choice]) }
            }
        }
    }
}
