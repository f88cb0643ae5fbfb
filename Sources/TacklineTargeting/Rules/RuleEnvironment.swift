import TacklineCore

/// What a rule is evaluated with.
struct RuleEnvironment {
    var targetingKey: String?
    var attributes: [String: EncodedFlagValue]
    var flagKey: String
    let settings: RuleSettings
}

/// What stays the same for all evaluations of a document. A class, so that an evaluation takes one reference to it.
final class RuleSettings: Sendable {
    /// Seconds since 1970; asked for only by rules that depend on it.
    let timestamp: @Sendable () -> Int64
    let bucketing: any FractionalBucketing
    let limits: TargetingLimits

    init(
        timestamp: @escaping @Sendable () -> Int64, bucketing: any FractionalBucketing, limits: TargetingLimits
    ) {
        self.timestamp = timestamp
        self.bucketing = bucketing
        self.limits = limits
    }
}
