public import TacklineCore

/// Combinations of flag values for tests.
///
/// ```swift
/// @Test(arguments: FlagCombinations.all { $0.vary(\AppFlags.newCheckout); $0.vary(\AppFlags.theme) })
/// func totalIsRight(flags: ScopedFlagValues) {
///     withFlags(flags) { #expect(Checkout().total == 42) }
/// }
/// ```
///
/// If not all combinations are valid, pass constraints to leave out those that violate them. A constrained flag that
/// isn't varied counts with its default. A constraint without a varied flag is ignored. It is a programming error, with
/// advice in the message, if a constraint involves a varied flag and a flag that no varied collection declares, or if
/// no combination is left.
public enum FlagCombinations {
    /// The largest number of combinations that `all` generates.
    public static let limit = 65_536

    /// Returns every combination that the constraints allow. The last flag varies fastest.
    ///
    /// Traps with advice if there are more than ``limit`` combinations without constraints, such as seventeen flags
    /// with two values each.
    ///
    /// - Parameters:
    ///   - constraints: The constraints that each combination has to meet, such as those of `TacklineTargeting`.
    ///   - configuration: The key configuration of your loader, which determines the keys that constraints refer to.
    ///   - variations: Adds the flags and their values.
    public static func all(
        under constraints: [any FlagValueConstraint] = [], keys configuration: KeyConfiguration = KeyConfiguration(),
        _ variations: (inout FlagVariations) -> Void
    ) -> [ScopedFlagValues] {
        var (factors, allowed) = varied(variations, constraints, configuration)
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
            if allowed.allows(choices) { rows.append(choices) }
        }
        return overrides(factors, rows, constraints)
    }

    /// Returns a small set of combinations in which each value of a flag occurs with each value of every other flag at
    /// least once, as far as the constraints allow it.
    ///
    /// Most faults that depend on flags depend on one or two of them. Twenty flags with two values each take about ten
    /// combinations instead of a million. The result is the same each time.
    ///
    /// Each combination starts with the value that most missing pairs contain. The other flags follow in a random
    /// order, each with the value that adds most missing pairs. The best of five such candidates is used (D. Cohen, S.
    /// Dalal, M. Fredman, G. Patton, *The AETG System*, IEEE Transactions on Software Engineering 23, 1997, with a
    /// fixed seed). If a constraint forbids a value, the search backtracks. A pair counts as forbidden if 20,000 steps
    /// find no combination with it.
    ///
    /// - Parameters:
    ///   - constraints: The constraints that each combination has to meet, such as those of `TacklineTargeting`.
    ///   - configuration: The key configuration of your loader, which determines the keys that constraints refer to.
    ///   - variations: Adds the flags and their values.
    /// - Complexity: O(*n*² · *v*² · *m*) for *n* flags with *v* values each and *m* combinations, without constraints.
    public static func pairwise(
        under constraints: [any FlagValueConstraint] = [], keys configuration: KeyConfiguration = KeyConfiguration(),
        _ variations: (inout FlagVariations) -> Void
    ) -> [ScopedFlagValues] {
        let (factors, allowed) = varied(variations, constraints, configuration)
        let design = PairwiseDesign(counts: factors.map(\.count), allowed: allowed)
        return overrides(factors, design.rows, constraints)
    }

    private static func varied(
        _ variations: (inout FlagVariations) -> Void, _ constraints: [any FlagValueConstraint],
        _ configuration: KeyConfiguration
    ) -> (factors: [FlagVariations.Factor], allowed: AllowedRows) {
        var all = FlagVariations()
        variations(&all)
        // Without constraints no keys are needed, which would take a loader for each collection.
        return (all.factors, constraints.isEmpty ? AllowedRows([]) : all.allowedRows(under: constraints, configuration))
    }

    private static func overrides(
        _ factors: [FlagVariations.Factor], _ rows: [[Int]], _ constraints: [any FlagValueConstraint]
    ) -> [ScopedFlagValues] {
        let names = constraints.map { "\"\($0.name)\"" }.joined(separator: ", ")
        precondition(
            !rows.isEmpty,
            "No combination of the values meets every constraint of \(names). Vary more flags, or correct a constraint."
        )
        return rows.map { choices in
            ScopedFlagValues { overrides in
                for (factor, choice) in zip(factors, choices) { factor.set(choice, &overrides) }
            }
        }
    }
}
