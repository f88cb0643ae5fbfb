import TacklineCore

/// The data that `var` looks into, where it is not the evaluation's context.
///
/// A class, because most rules never make one, and the evaluator is then smaller by it.
final class RuleScope {
    /// One element of a list, or data that is no context; inside `reduce` its current element.
    let value: EncodedFlagValue
    /// What `reduce` has so far; `nil` anywhere else.
    let accumulator: EncodedFlagValue?

    init(_ value: EncodedFlagValue, accumulator: EncodedFlagValue? = nil) {
        self.value = value
        self.accumulator = accumulator
    }
}
