import TacklineCore

/// Combinations of flag values to run a test with.
///
/// ```swift
/// @Test(arguments: FlagCombinations.all { $0.vary(\AppFlags.newCheckout); $0.vary(\AppFlags.theme) })
/// func totalIsRight(flags: ScopedFlagValues) {
///     withFlags(flags) { #expect(Checkout().total == 42) }
/// }
/// ```
public enum FlagCombinations {
    /// The most combinations that ``all(_:)`` makes.
    public static let limit = 65_536

    /// Returns every combination; the flag that was named last varies fastest.
    ///
    /// It traps with advice if there would be more than ``limit``: sixteen flags with two values each are the most.
    public static func all(_ variations: (inout FlagVariations) -> Void) -> [ScopedFlagValues] {
        let factors = factors(variations)
        var count = 1
        for factor in factors {
            let (product, hasOverflow) = count.multipliedReportingOverflow(by: factor.count)
            precondition(
                !hasOverflow && product <= limit,
                "All combinations of \(factors.count) flags are more than \(limit). Use FlagCombinations.pairwise."
            )
            count = product
        }
        return (0..<count).map { number in
            var rest = number
            var choices = [Int](repeating: 0, count: factors.count)
            for index in factors.indices.reversed() {
                choices[index] = rest % factors[index].count
                rest /= factors[index].count
            }
            return overrides(factors, choices)
        }
    }

    /// Returns few combinations in which each value of each flag meets each value of every other flag at least once.
    ///
    /// Most faults that depend on flags depend on one or two of them. Twenty flags with two values each take about ten
    /// combinations instead of a million. The result is the same each time.
    ///
    /// Each combination starts with the value that most missing pairs contain, and gives the other flags, in a mixed
    /// order, the value that adds most missing pairs; of five such candidates the best is taken (D. Cohen, S. Dalal, M.
    /// Fredman, G. Patton, *The AETG System*, IEEE Transactions on Software Engineering 23, 1997, with a fixed seed).
    ///
    /// - Complexity: O(*n*² · *v*² · *m*) for *n* flags with *v* values each and *m* combinations.
    public static func pairwise(_ variations: (inout FlagVariations) -> Void) -> [ScopedFlagValues] {
        let factors = factors(variations)
        return PairwiseDesign(counts: factors.map(\.count)).rows.map { overrides(factors, $0) }
    }

    private static func factors(_ variations: (inout FlagVariations) -> Void) -> [FlagVariations.Factor] {
        var all = FlagVariations()
        variations(&all)
        return all.factors
    }

    private static func overrides(_ factors: [FlagVariations.Factor], _ choices: [Int]) -> ScopedFlagValues {
        ScopedFlagValues { overrides in
            for (factor, choice) in zip(factors, choices) { factor.set(choice, &overrides) }
        }
    }
}
