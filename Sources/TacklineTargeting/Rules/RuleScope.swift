import TacklineCore

/// The data in which `var` finds values, if it is not the evaluation's context.
///
/// A class, because most rules never make a scope, and the evaluator is smaller this way.
final class RuleScope {
    /// One element of a list, or data that is no context; inside `reduce` its current element.
    let value: EncodedFlagValue
    /// The intermediate result of `reduce`; `nil` in other scopes.
    let accumulator: EncodedFlagValue?

    init(_ value: EncodedFlagValue, accumulator: EncodedFlagValue? = nil) {
        self.value = value
        self.accumulator = accumulator
    }
}
