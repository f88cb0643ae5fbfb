/// What stays the same for all evaluations of a document. A class, so that it is shared by reference.
final class RuleSettings: Sendable {
    /// Seconds since 1970; asked for only by rules that depend on it.
    let timestamp: @Sendable () -> Int64
    let fractional: FractionalGeneration
    let limits: TargetingLimits

    init(timestamp: @escaping @Sendable () -> Int64, fractional: FractionalGeneration, limits: TargetingLimits) {
        self.timestamp = timestamp
        self.fractional = fractional
        self.limits = limits
    }
}
