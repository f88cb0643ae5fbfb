import TacklineCore

/// The attributes that an operator compares, found without evaluating it.
struct RuleComparison: Sendable {
    /// An argument that is compared with another one.
    struct Use: Sendable {
        /// The position of the argument, which may ask for an attribute. It may be out of range.
        var asked: Int
        /// The types of the attribute with which the comparison can hold.
        var types: Set<FlagValueType>
        /// The position of the argument that determines the types.
        var place: Int
        /// The value of that argument; `nil` if the operator alone determines the types.
        var constant: EncodedFlagValue?
    }

    /// Whether the operator compares numbers: those beyond 2^53 equal their neighbours.
    let takesNumbers: Bool
    let uses: @Sendable (RuleExpression) -> [Use]
    /// Returns values of an attribute at which the result changes, given a constant argument, its position, and the
    /// position of the argument that asks for the attribute.
    let examples: @Sendable (EncodedFlagValue, Int, Int) -> [EncodedFlagValue]

    init(
        takesNumbers: Bool, uses: @escaping @Sendable (RuleExpression) -> [Use],
        examples: @escaping @Sendable (EncodedFlagValue, Int, Int) -> [EncodedFlagValue]
    ) {
        self.takesNumbers = takesNumbers
        self.uses = uses
        self.examples = examples
    }
}
