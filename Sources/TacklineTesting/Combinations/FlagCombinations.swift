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
        var rows: [[Int]] = []
        for number in 0..<count {
            var rest = number
            var choices = [Int](repeating: 0, count: factors.count)
            for index in factors.indices.reversed() {
                choices[index] = rest % factors[index].count
                rest /= factors[index].count
            }
            rows.append(choices)
        }
        return overrides(factors, rows)
    }

    /// Returns a small set of combinations in which each value of a flag occurs with each value of every other flag at
    /// least once.
    ///
    /// Most faults that depend on flags depend on one or two of them. Twenty flags with two values each take about ten
    /// combinations instead of a million. The result is the same each time.
    ///
    /// Each combination starts with the value that most missing pairs contain. The other flags follow in a random
    /// order, each with the value that adds most missing pairs. The best of five such candidates is used (D. Cohen, S.
    /// Dalal, M. Fredman, G. Patton, *The AETG System*, IEEE Transactions on Software Engineering 23, 1997, with a
    /// fixed seed).
    ///
    /// - Parameter variations: Adds the flags and their values.
    /// - Complexity: O(*n*² · *v*² · *m*) for *n* flags with *v* values each and *m* combinations.
    public static func pairwise(_ variations: (inout FlagVariations) -> Void) -> [ScopedFlagValues] {
        let factors = factors(variations)
        return overrides(factors, PairwiseDesign(counts: factors.map(\.count)).rows)
    }

    private static func factors(_ variations: (inout FlagVariations) -> Void) -> [FlagVariations.Factor] {
        var all = FlagVariations()
        variations(&all)
        return all.factors
    }

    private static func overrides(_ factors: [FlagVariations.Factor], _ rows: [[Int]]) -> [ScopedFlagValues] {
        rows.map { choices in
            ScopedFlagValues { overrides in
                for (factor, choice) in zip(factors, choices) { overrides.add(factor.overrides[choice]) }
            }
        }
    }
}
