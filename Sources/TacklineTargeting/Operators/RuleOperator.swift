import TacklineCore

/// An operator of rules, with everything that is specific to it.
///
/// The compiler, the evaluator, the outlook in time, the validator and explanations walk the same compiled rule and ask
/// its operators. To add one, add an entry to one of the lists that ``table`` consists of.
final class RuleOperator: Sendable {
    typealias Computation<Value> = @Sendable (inout RuleEvaluator, RuleNode) throws(RuleFailure) -> Value

    /// The computation of the result, by its kind.
    enum Evaluation: Sendable {
        case truth(Computation<Bool>)
        /// True, false, or null for arguments of the wrong type.
        case truthOrNull(Computation<Bool?>)
        case value(Computation<EncodedFlagValue>)
    }

    /// The arguments that can become the result.
    enum Flow: Sendable {
        /// None: the operator makes the result.
        case own
        /// The value after the first condition that is true, or the last argument if none is.
        case branches
        /// The first argument whose truth is `decisive`, or the last one.
        case junction(decisive: Bool)
        /// The first argument.
        case first
        /// Something from the context that is named by the first argument, or the second one if there is no such thing.
        case variable
        /// A variant of one of the shares.
        case shares
        /// All, as texts that are joined.
        case join
        /// The result of the evaluator of the document that the argument names.
        case reference
    }

    /// The name in a document.
    let name: String
    /// The form of the arguments in flagd's schema; `nil` for an operator that the schema does not have.
    let arguments: RuleArguments?
    let evaluation: Evaluation
    let flow: Flow
    /// The text for people.
    let words: RuleWords
    /// Whether the operator compares numbers: those beyond 2^53 equal their neighbours.
    let comparesNumbers: Bool
    /// Computes the value and the second up to which it holds. If it is `nil` or returns `nil`, each second may change
    /// the value.
    let change: Computation<Outlook?>?
    /// Returns the arguments that name attributes; `nil` for an operator that does not read the context by itself.
    let names: (@Sendable (RuleExpression) -> [RuleExpression])?
    /// Whether all arguments but the first are evaluated for the elements of a list.
    let bindsElements: Bool
    /// Prepares arguments that are known when the rule is compiled: adds something to a list of the code, and returns
    /// its index. It returns `nil` if an argument is not known.
    let preparation: (@Sendable (inout RuleCompiler, [EncodedFlagValue], [Int32]) throws(TargetingError) -> Int32?)?

    init(
        _ name: String, _ arguments: RuleArguments?, flow: Flow = .own, words: RuleWords = .function,
        comparesNumbers: Bool = false, names: (@Sendable (RuleExpression) -> [RuleExpression])? = nil,
        bindsElements: Bool = false, change: Computation<Outlook?>? = nil,
        preparation: (@Sendable (inout RuleCompiler, [EncodedFlagValue], [Int32]) throws(TargetingError) -> Int32?)? =
            nil,
        _ evaluation: Evaluation
    ) {
        self.name = name
        self.arguments = arguments
        self.evaluation = evaluation
        self.flow = flow
        self.words = words
        self.comparesNumbers = comparesNumbers
        self.change = change
        self.names = names
        self.bindsElements = bindsElements
        self.preparation = preparation
    }

    /// All operators.
    static let table = context + logic + comparisons + arithmetic + lists + texts + versions + splits
    /// The computations of the operators in the table.
    static let evaluations = table.map(\.evaluation)
    /// The positions in the table by name. Comparing a text with each name would take far longer.
    static let positions = Dictionary(uniqueKeysWithValues: table.enumerated().map { ($1.name, UInt8($0)) })

    /// Returns the operator with a name; `nil` if there is none.
    static func named(_ name: String) -> RuleOperator? { positions[name].map { table[Int($0)] } }

    /// Whether the result may depend on the context even if the arguments do not.
    var readsContext: Bool {
        if names != nil { return true }
        return switch flow {
        case .shares, .reference: true
        default: false
        }
    }
}

extension RuleNode {
    /// The operator of an operation. Don't ask a constant or a list for it.
    var `operator`: RuleOperator { RuleOperator.table[Int(operation)] }
}
