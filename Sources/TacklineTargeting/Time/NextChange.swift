import TacklineCore

extension FlagDefinition {
    /// Whether the flag's rule, or that of a flag that it requires, asks for the time.
    var isTimed: Bool {
        guard isAvailable else { return false }
        if prerequisites.contains(where: \.flag.isTimed) { return true }
        return program?.isTimed ?? false
    }

    /// Returns the next second after `timestamp` at which the flag's evaluation by `evaluate` is different, if nothing
    /// changes but the time; `nil` for never. Both are in seconds since 1970.
    ///
    /// If a rule uses the time in ways that cannot be analysed, this may be a second at which nothing changes.
    ///
    /// - Parameters:
    ///   - steps: The number of steps that are left. If they do not suffice, the result may be a second at which
    ///     nothing changes.
    ///   - evaluate: Returns the evaluation of a flag as of a time.
    func nextChange(
        for context: EvaluationContext, after timestamp: Int64, steps: inout Int,
        evaluate: (FlagDefinition, Int64) -> FlagEvaluation
    ) -> Int64? {
        guard isTimed else { return nil }
        guard steps > 0 else { return timestamp + 1 }
        let present = evaluate(self, timestamp)
        var moment = timestamp
        while true {
            let before = steps
            let until = until(for: context, at: moment, steps: &steps)
            guard until != .max else { return nil }
            // Evaluating the flag then costs about as much as computing the next change.
            steps -= before - steps + 10
            guard evaluate(self, until) == present else { return until }
            guard steps > 0 else { return until }
            moment = until
        }
    }

    /// Returns the second up to which nothing changes, according to the rule and those of the flags that it requires.
    private func until(for context: EvaluationContext, at moment: Int64, steps: inout Int) -> Int64 {
        var until = Int64.max
        if let program {
            var evaluator = RuleEvaluator(program: program, context: context)
            evaluator.timestamp = moment
            let allowed = min(steps, evaluator.remainingSteps)
            evaluator.remainingSteps = allowed
            // A rule whose evaluation is stopped has no value to change; it may have one a second later.
            until = (try? evaluator.outlook(program.root).until) ?? moment + 1
            steps -= allowed - max(0, evaluator.remainingSteps)
        }
        return prerequisites.reduce(until) { min($0, $1.flag.until(for: context, at: moment, steps: &steps)) }
    }
}

extension FlagDefinitions {
    /// Whether a rule of the document asks for the time.
    var isTimed: Bool { all.contains(where: \.isTimed) }

    /// Returns the next second after `timestamp` at which a flag's evaluation for a context is different, if nothing
    /// changes but the time; `nil` for never. Both are in seconds since 1970.
    ///
    /// It is computed from the rules, not by trial. If a rule uses `$flagd.timestamp` for anything but comparisons and
    /// weights, this may be a second at which nothing changes.
    public func nextChange(for context: EvaluationContext, after timestamp: Int64) -> Int64? {
        nextChange(for: context, after: timestamp) { $0.evaluate(for: context, at: $1) }
    }

    /// Returns the next second at which a flag's evaluation by `evaluate` is different.
    func nextChange(
        for context: EvaluationContext, after timestamp: Int64, evaluate: (FlagDefinition, Int64) -> FlagEvaluation
    ) -> Int64? {
        var steps = settings.limits.steps(ofOutlooksOf: all.count)
        var first: Int64?
        for flag in all {
            let next = flag.nextChange(for: context, after: timestamp, steps: &steps, evaluate: evaluate)
            first = [first, next].compactMap(\.self).min()
        }
        return first
    }
}
