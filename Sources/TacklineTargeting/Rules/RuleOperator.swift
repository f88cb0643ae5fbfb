import TacklineCore

/// The form of an operator's arguments, as flagd's schema has it.
enum RuleForm: Sendable {
    /// The schema does not have the operator.
    case none
    /// A list of so many values or operations.
    case list(ClosedRange<Int>)
    case single
    /// The name of an attribute, with a value if there is none.
    case variable
    case names
    /// A number and names of attributes.
    case someNames
    /// Two texts or operations.
    case texts
    /// A version, a sign and a version.
    case version
    /// A key, which may be left out, and shares.
    case shares

    /// A list of at least one value or operation.
    static let any = RuleForm.list(1...Int.max)
}

/// An operator of rules. To add one, add an entry to ``table``. A class, so that nodes refer to it.
final class RuleOperator: Sendable {
    /// Computes the result of a node with the operator. It throws a ``RuleFailure``.
    typealias Evaluation = @Sendable (inout RuleEvaluation, Rule) throws -> EncodedFlagValue

    let name: String
    /// The form of the arguments in flagd's schema.
    let form: RuleForm
    let evaluation: Evaluation

    private init(_ name: String, _ form: RuleForm, _ evaluation: @escaping Evaluation) {
        self.name = name
        self.form = form
        self.evaluation = evaluation
    }

    static let table: [RuleOperator] = [
        // The context
        RuleOperator("var", .variable) { try $0.variable($1) },
        RuleOperator("missing", .names) { try $0.missing($1) },
        RuleOperator("missing_some", .someNames) { try $0.missingSome($1) },
        RuleOperator("$ref", .none) { try $0.reference($1) },
        // Conditions
        RuleOperator("if", .any) { try $0.argument($0.branch(of: $1), of: $1) },
        RuleOperator("?:", .none) { try $0.argument($0.branch(of: $1), of: $1) },
        RuleOperator("or", .any) { try $0.first(true, $1) },
        RuleOperator("and", .any) { try $0.first(false, $1) },
        RuleOperator("!", .single) { .bool(try !$0.argument(0, of: $1).isTruthy) },
        RuleOperator("!!", .single) { .bool(try $0.argument(0, of: $1).isTruthy) },
        RuleOperator("log", .none) { try $0.argument(0, of: $1) },
        // Comparisons
        comparison("==", isOrder: false) { try $0.areEqual($1, $2) },
        comparison("!=", isOrder: false) { try !$0.areEqual($1, $2) },
        comparison("===", isOrder: false) { RuleEvaluation.areIdentical($1, $2) },
        comparison("!==", isOrder: false) { !RuleEvaluation.areIdentical($1, $2) },
        comparison(">") { try $0.isLess($2, $1, orEqual: false) },
        comparison(">=") { try $0.isLess($2, $1, orEqual: true) },
        comparison("<", 2...3) { try $0.isLess($1, $2, orEqual: false) },
        comparison("<=", 2...3) { try $0.isLess($1, $2, orEqual: true) },
        // Arithmetic
        arithmetic("+", .any, isPrefix: true) { $0.reduce(0, +) },
        arithmetic("*", .list(2...Int.max), isPrefix: true) { $0.reduce(1, *) },
        arithmetic("-", .any) { $0.count == 1 ? -$0[0] : $0.count > 1 ? $0[0] - $0[1] : .nan },
        arithmetic("/", .list(2...2)) { $0.count > 1 ? $0[0] / $0[1] : .nan },
        arithmetic("%", .list(2...2)) { $0.count > 1 ? $0[0].truncatingRemainder(dividingBy: $0[1]) : .nan },
        arithmetic("max", .any) { $0.contains(where: \.isNaN) ? .nan : $0.max() ?? -.infinity },
        arithmetic("min", .any) { $0.contains(where: \.isNaN) ? .nan : $0.min() ?? .infinity },
        // Lists
        RuleOperator("map", .list(2...2)) { .array(try $0.elements(of: $1).map(\.value)) },
        RuleOperator("filter", .list(2...2)) {
            .array(try $0.elements(of: $1).filter(\.value.isTruthy).map(\.element))
        },
        RuleOperator("reduce", .list(3...3)) { try $0.reduce($1) },
        RuleOperator("all", .list(2...2)) {
            // JsonLogic's `all` is false for a list without elements.
            let elements = try $0.elements(of: $1)
            return .bool(!elements.isEmpty && elements.allSatisfy(\.value.isTruthy))
        },
        RuleOperator("none", .list(2...2)) { .bool(try !$0.elements(of: $1).contains(where: \.value.isTruthy)) },
        RuleOperator("some", .list(2...2)) { .bool(try $0.elements(of: $1).contains(where: \.value.isTruthy)) },
        RuleOperator("merge", .any) { try $0.merge($1) },
        // Texts
        RuleOperator("cat", .any) { try $0.join($1) },
        RuleOperator("substr", .list(2...3)) { try $0.substring($1) },
        RuleOperator("in", .list(2...2)) { .bool(try $0.contains($1)) },
        RuleOperator("starts_with", .texts) { try $0.hasAffix($1, isPrefix: true) },
        RuleOperator("ends_with", .texts) { try $0.hasAffix($1, isPrefix: false) },
        // flagd's own
        RuleOperator("sem_ver", .version) { try $0.version($1) },
        RuleOperator("fractional", .shares) { try $0.fractional($1) },
    ]

    /// The evaluation of a list with operations in it, which has no operator.
    static let list: Evaluation = { .array(try $0.values(of: $1)) }

    static let byName = Dictionary(uniqueKeysWithValues: table.map { ($0.name, $0) })

    /// Returns an operator that compares the first value with the second, and the second with a third if there may be
    /// one.
    ///
    /// - Parameter isOrder: Whether the operator is false for a single value, and does not compare it with null.
    private static func comparison(
        _ sign: String, _ counts: ClosedRange<Int> = 2...2, isOrder: Bool = true,
        _ holds: @escaping @Sendable (inout RuleEvaluation, EncodedFlagValue, EncodedFlagValue) throws -> Bool
    ) -> RuleOperator {
        RuleOperator(sign, .list(counts)) { evaluation, node in
            if isOrder, node.arguments.count < 2 { return false }
            let (first, second) = (try evaluation.argument(0, of: node), try evaluation.argument(1, of: node))
            try evaluation.charge(first.byteCount / 16)
            guard try holds(&evaluation, first, second) else { return false }
            guard counts.contains(3), node.arguments.count > 2 else { return true }
            let third = try evaluation.argument(2, of: node)
            try evaluation.charge(second.byteCount / 16)
            return .bool(try holds(&evaluation, second, third))
        }
    }

    private static func arithmetic(
        _ sign: String, _ form: RuleForm, isPrefix: Bool = false,
        _ combine: @escaping @Sendable ([Double]) -> Double
    ) -> RuleOperator {
        RuleOperator(sign, form) { .scriptNumber(combine(try $0.numbers(of: $1, isPrefix: isPrefix))) }
    }

    // MARK: Groups

    /// Whether all arguments but the first are evaluated for the elements of a list.
    var bindsElements: Bool { ["map", "filter", "reduce", "all", "none", "some"].contains(name) }

    /// Whether the operator compares two or three values.
    var isComparison: Bool { ["==", "!=", "===", "!==", "<", "<=", ">", ">="].contains(name) }

    /// Whether the result is true or false, or null for arguments of the wrong type.
    var isTest: Bool {
        let names = ["in", "!", "!!", "all", "none", "some", "starts_with", "ends_with", "sem_ver"]
        return isComparison || names.contains(name)
    }

    /// Whether people write the operator between its operands.
    var isInfix: Bool {
        isComparison || ["and", "or", "in", "starts_with", "ends_with", "+", "-", "*", "/", "%"].contains(name)
    }
}
