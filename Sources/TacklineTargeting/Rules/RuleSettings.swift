/// The settings for all evaluations of a document. A class, so that they are shared by reference.
final class RuleSettings: Sendable {
    /// The time in seconds since 1970. It is called only by rules that depend on the time.
    let timestamp: @Sendable () -> Int64
    let fractional: FractionalGeneration
    let limits: TargetingLimits
    /// The number of steps that the evaluation of each rule may take, whatever its size.
    private let share: Int

    /// - Parameter ruleCount: The number of rules in the document, which share a total of steps.
    init(
        timestamp: @escaping @Sendable () -> Int64, fractional: FractionalGeneration, limits: TargetingLimits,
        ruleCount: Int = 1
    ) {
        self.timestamp = timestamp
        self.fractional = fractional
        self.limits = limits
        share = limits.steps(ofOneAmong: ruleCount)
    }

    /// Returns the settings for a document with a number of rules.
    func forRules(_ count: Int) -> RuleSettings {
        RuleSettings(timestamp: timestamp, fractional: fractional, limits: limits, ruleCount: count)
    }

    /// Returns the number of steps that the evaluation of a rule may take.
    ///
    /// - Parameter size: The number of values that the rule consists of: a rule without loops needs about a step for
    ///   each.
    func steps(forSize size: Int) -> Int {
        let (steps, isTooMuch) = share.addingReportingOverflow(2 * size)
        return isTooMuch ? limits.maximumSteps : min(limits.maximumSteps, steps)
    }
}
