extension FlagDefinition {
    /// How many ways through a rule's splits are tried for one subject.
    private static let wayLimit = 64

    /// The variants that the rule can give a subject, each with its probability.
    ///
    /// Splits that stand in one rule are taken for independent of each other. Where there are too many ways through them,
    /// the ones that were not tried are missing.
    func expectedVariants(for context: EvaluationContext) -> [(String, Double)] {
        guard unavailability == nil, program != nil else {
            return [(RolloutSimulation.name(of: evaluate(for: context)), 1)]
        }
        let decisions = SplitDecisions()
        var expectations: [(String, Double)] = []
        for _ in 0..<Self.wayLimit {
            let name = RolloutSimulation.name(of: evaluate(for: context, decisions: decisions))
            expectations.append((name, decisions.probability))
            if !decisions.advance() { break }
        }
        return expectations
    }
}
