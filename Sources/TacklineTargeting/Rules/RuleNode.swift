/// One operation of a compiled rule.
///
/// A trivial value: nodes live in one array and name each other by index, so that evaluating a rule counts no references
/// for its structure.
struct RuleNode: Sendable {
    enum Kind: UInt8, Sendable {
        /// `payload` is an index into the constants.
        case constant
        /// A list whose elements are expressions.
        case list
        /// `payload` is an index into the paths; the argument, if any, is the value where nothing is found.
        case variable
        /// A `var` whose name is an expression.
        case variableByName
        /// `in` a constant list of texts; `payload` is an index into the sets.
        case containsConstant
        /// `sem_ver` with a constant operator and target; `payload` is an index into the version tests.
        case versionTest
        /// `starts_with` or `ends_with` with a constant text; `payload` is an index into the affix tests.
        case affixTest
        /// `fractional` with constant variants and weights; `payload` is an index into the splits.
        case constantSplit
        /// Any other operator, named by `operation`.
        case operation
    }

    var kind: Kind
    var operation: RuleOperator = .log
    var payload: Int32 = 0
    /// Where the indexes of the arguments begin in the program's list of arguments.
    var firstArgument: Int32 = 0
    var argumentCount: Int32 = 0
}
