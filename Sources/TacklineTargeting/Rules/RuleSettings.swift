/// What stays the same for all evaluations of a document. A class, so that it is shared by reference.
final class RuleSettings: Sendable {
    /// Seconds since 1970; asked for only by rules that depend on it.
    let timestamp: @Sendable () -> Int64
    let bucketing: any FractionalBucketing
    let limits: TargetingLimits
    /// Whether the bucketing is the usual one, which the evaluator then does itself, without making a key first.
    let usesSecondGeneration: Bool

    init(
        timestamp: @escaping @Sendable () -> Int64, bucketing: any FractionalBucketing, limits: TargetingLimits
    ) {
        self.timestamp = timestamp
        self.bucketing = bucketing
        self.limits = limits
        usesSecondGeneration = bucketing is SecondGenerationBucketing
    }
}
