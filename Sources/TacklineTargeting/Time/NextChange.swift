import TacklineCore

extension FlagDefinition {
    /// How many moments are looked at in which something might change and does not.
    private static let momentLimit = 4_096

    /// Whether the flag's rule asks for the time.
    var isTimed: Bool {
        guard unavailability == nil else { return false }
        if prerequisites.contains(where: \.flag.isTimed) { return true }
        return program.map { $0.isTimed[Int($0.root)] } ?? false
    }

    /// Returns the next second after `timestamp` at which the flag is evaluated otherwise for a context, if nothing changes but
    /// the time; `nil` for never. Both are in seconds since 1970.
    ///
    /// Where a rule uses the time in ways that cannot be looked through, this may be a second at which nothing changes.
    func nextChange(for context: EvaluationContext, after timestamp: Int64) -> Int64? {
        nextChange(for: context, after: timestamp) { $0.evaluate(for: context, at: $1) }
    }

    /// The same where something else is given than rules alone give.
    ///
    /// - Parameter evaluate: What a flag gives as of a time.
    func nextChange(
        for context: EvaluationContext, after timestamp: Int64, evaluate: (FlagDefinition, Int64) -> FlagEvaluation
    ) -> Int64? {
        guard isTimed else { return nil }
        let present = evaluate(self, timestamp)
        var moment = timestamp
        for _ in 0..<Self.momentLimit {
            let until = until(for: context, at: moment)
            guard until != .max else { return nil }
            guard evaluate(self, until) == present else { return until }
            moment = until
        }
        return moment
    }

    /// Until when nothing changes, as far as the rule and those of the flags that it needs tell.
    private func until(for context: EvaluationContext, at moment: Int64) -> Int64 {
        var until = Int64.max
        if let program {
            var evaluator = RuleEvaluator(program: program, context: context)
            evaluator.timestamp = moment
            // A rule that is given up has no value to change; it may have one a second later.
            until = (try? evaluator.outlook(program.root).until) ?? moment + 1
        }
        return prerequisites.reduce(until) { min($0, $1.flag.until(for: context, at: moment)) }
    }
}

extension FlagDefinitions {
    /// Whether a rule of the document asks for the time.
    var isTimed: Bool { flags.values.contains(where: \.isTimed) || namesakes.contains(where: \.isTimed) }

    /// Returns the next second after `timestamp` at which a flag is evaluated otherwise for a context, if nothing changes but
    /// the time; `nil` for never. Both are in seconds since 1970.
    ///
    /// It is computed from the rules, not tried out. Where a rule uses `$flagd.timestamp` for something else than comparisons
    /// and weights, it may be a second at which nothing changes.
    public func nextChange(for context: EvaluationContext, after timestamp: Int64) -> Int64? {
        nextChange(for: context, after: timestamp) { $0.evaluate(for: context, at: $1) }
    }

    /// The same where something else is given than rules alone give.
    func nextChange(
        for context: EvaluationContext, after timestamp: Int64, evaluate: (FlagDefinition, Int64) -> FlagEvaluation
    ) -> Int64? {
        (Array(flags.values) + namesakes).compactMap {
            $0.nextChange(for: context, after: timestamp, evaluate: evaluate)
        }.min()
    }
}
