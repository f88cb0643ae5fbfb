import TacklineTargeting

/// Returns users with the targeting keys `user-1`, `user-2` and so on, and no attributes.
func syntheticUsers(_ count: Int) -> some Sequence<EvaluationContext> {
    (0..<count).lazy.map { EvaluationContext(targetingKey: "user-\($0 + 1)") }
}
