/// One operation of a compiled rule.
///
/// A trivial value: nodes are elements of one array and refer to each other by index, so that evaluating a rule counts
/// no references for its structure.
struct RuleNode: Sendable {
    /// The kinds of nodes. Those after ``list`` are operations.
    enum Kind: UInt8, Sendable {
        /// `payload` is an index into the constants.
        case constant
        /// A list whose elements are expressions.
        case list
        /// An operation that asks for a path which is known; `payload` is an index into the paths.
        case variable
        /// An evaluator of the document; `payload` is an index into the references.
        case reference
        /// Conditions and values in turn.
        case branches
        /// A split with constant variants and weights; `payload` is an index into the splits.
        case split
        /// Any other operation. `payload` is the index of what its operator has prepared, or -1.
        case operation
    }

    var kind: Kind
    /// The position of the operator in the table of operators.
    var operation: UInt8 = 0
    /// Whether the arguments stand in a list in the document. A single one may stand without.
    var isList = true
    var payload: Int32 = -1
    /// The position of the first argument's index in the program's list of arguments.
    var firstArgument: Int32 = 0
    var argumentCount: Int32 = 0

    var isOperation: Bool { kind.rawValue > Kind.list.rawValue }
    /// Whether the operator has prepared something.
    var isPrepared: Bool { payload >= 0 }

    /// The positions of the arguments' indexes in the program's list of arguments.
    var argumentRange: Range<Int> { Int(firstArgument)..<Int(firstArgument + argumentCount) }
}
