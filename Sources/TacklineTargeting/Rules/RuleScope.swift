import TacklineCore

/// The data that `var` looks into.
enum RuleScope {
    /// The evaluation's context.
    case context
    /// One element of a list, or data that is no context.
    case element(EncodedFlagValue)
    /// A step of `reduce`.
    case reduction(current: EncodedFlagValue, accumulator: EncodedFlagValue)
}
