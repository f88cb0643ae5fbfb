import TacklineCore

/// What a rule is evaluated with.
struct RuleEnvironment {
    var targetingKey: String?
    var attributes: [String: EncodedFlagValue]
    var flagKey: String
    /// Seconds since 1970; asked for only by rules that depend on it.
    var timestamp: @Sendable () -> Int64
    var bucketing: any FractionalBucketing
    var limits: TargetingLimits
}
