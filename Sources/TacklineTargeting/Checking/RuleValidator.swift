import TacklineCore

/// A check of a rule against flagd's `targeting.json`.
///
/// It is stricter in one place: it refuses an object with several operators. The schema accepts such an object if the
/// operators are of one kind, although no evaluator could decide which of them is meant.
struct RuleValidator {
    private(set) var problems: [(path: [String], message: String)] = []
    private var path: [String]
    private let limit: Int

    /// - Parameter limit: The maximum number of problems.
    static func problems(
        in rule: EncodedFlagValue, path: [String], limit: Int = 1_000
    ) -> [(path: [String], message: String)] {
        var validator = RuleValidator(path: path, limit: limit)
        if case .object([:]) = rule { return [] }
        validator.checkOperation(rule)
        return validator.problems
    }

    private init(path: [String], limit: Int) {
        self.path = path
        self.limit = limit
    }

    mutating func report(_ message: String) {
        if problems.count < limit { problems.append((path, message)) }
    }

    mutating func at(_ component: String, _ check: (inout RuleValidator) -> Void) {
        guard problems.count < limit else { return }
        path.append(component)
        check(&self)
        path.removeLast()
    }

    /// Checks a value as an operation, an object with one operator.
    mutating func checkOperation(_ value: EncodedFlagValue) {
        guard path.count < 3 * TargetingLimits.depthCeiling else { return report("the rule is nested too deeply") }
        guard case .object(let members) = value else { return report("an operation is needed here, as an object") }
        guard members.count <= 1 else {
            let names = members.keys.sorted().prefix(5).map(\.quoted).joined(separator: ", ")
            return report("an operation has one operator, but here are \(names)")
        }
        guard let (name, argument) = members.first else { return }
        at(name) { $0.check(operator: name, argument) }
    }

    /// Checks an argument of an ordinary operator.
    mutating func checkArgument(_ value: EncodedFlagValue) {
        guard case .object(let members) = value else { return }
        if members.isEmpty { return report("an empty object is neither a value nor an operation") }
        if members.count == 1, let reference = members["$ref"] {
            if case .string = reference { return }
            return at("$ref") { $0.report("the name of an evaluator is needed here, as a text") }
        }
        checkOperation(value)
    }

    /// Reports whole numbers from 2^53 on, which a rule compares as doubles.
    private mutating func checkNumbers(_ argument: EncodedFlagValue) {
        switch argument {
        case .integer(let number) where number.magnitude >= 9_007_199_254_740_992:
            report(
                "a rule takes \(number) and its neighbors for the same number; write it as a text, and give it as one")
        case .array(let elements):
            for (position, element) in elements.enumerated() where element.isContainer || Self.isLarge(element) {
                at(String(position)) { $0.checkNumbers(element) }
            }
        default: break
        }
    }

    private static func isLarge(_ value: EncodedFlagValue) -> Bool {
        if case .integer(let number) = value { number.magnitude >= 9_007_199_254_740_992 } else { false }
    }

    private mutating func check(operator name: String, _ argument: EncodedFlagValue) {
        let operation = RuleOperator.named(name)
        if operation?.comparesNumbers == true { checkNumbers(argument) }
        guard let arguments = operation?.arguments else {
            let advice = KnownNames.meant(by: name, among: KnownNames.operators).map { "; did you mean \($0.quoted)?" }
            return report("there is no operator \(name.quoted)\(advice ?? "")")
        }
        arguments.check(&self, argument)
    }

    /// Returns the elements of a list; reports a value that is none, or that has another number of them.
    mutating func list(_ value: EncodedFlagValue, counts: Range<Int>) -> [EncodedFlagValue]? {
        if case .array(let elements) = value, counts.contains(elements.count) { return elements }
        let last = counts.upperBound == Int.max ? counts.lowerBound : counts.upperBound - 1
        let number =
            counts.upperBound == Int.max
            ? "at least \(last)" : counts.count == 1 ? "\(last)" : "\(counts.lowerBound) to \(last)"
        report("a list with \(number) \(last == 1 ? "element" : "elements") is needed here")
        return nil
    }

    /// Checks each element of a list.
    fileprivate mutating func check(
        _ elements: [EncodedFlagValue], _ check: (inout RuleValidator, EncodedFlagValue) -> Void
    ) {
        for (position, element) in elements.enumerated() { at(String(position)) { check(&$0, element) } }
    }

    fileprivate mutating func checkVariable(_ argument: EncodedFlagValue) {
        let name: String
        switch argument {
        case .string(let text): name = text
        case .array(let elements):
            guard case .string(let text)? = elements.first else { return }
            name = text
        default: return
        }
        let reserved = ["$flagd.flagKey", "$flagd.timestamp", "targetingKey"]
        if name.utf8.starts(with: "$flagd.".utf8), !reserved.contains(where: { $0.hasSameBytes(as: name) }) {
            let advice = KnownNames.meant(by: name, among: reserved).map { "; did you mean \($0.quoted)?" }
            report("\"$flagd\" has \"flagKey\" and \"timestamp\" only\(advice ?? "")")
        } else if name.utf8.count >= 8, let meant = KnownNames.meant(by: name, among: reserved) {
            report("no context has \(name.quoted) by itself; did you mean \(meant.quoted)?")
        }
    }

    fileprivate mutating func checkTexts(_ argument: EncodedFlagValue) {
        guard case .array(let elements) = argument else { return report("a list of texts is needed here") }
        for (position, element) in elements.enumerated() {
            if case .string = element { continue }
            at(String(position)) { $0.report("a text is needed here") }
        }
    }
}

/// The form of an operator's arguments, as flagd's schema has it.
struct RuleArguments: Sendable {
    /// Reports what is wrong with what stands at the operator.
    let check: @Sendable (inout RuleValidator, EncodedFlagValue) -> Void

    init(check: @escaping @Sendable (inout RuleValidator, EncodedFlagValue) -> Void) { self.check = check }

    /// Returns the form of a list of so many values or operations.
    static func list(_ counts: some RangeExpression<Int> & Sendable) -> RuleArguments {
        RuleArguments { validator, argument in
            guard let elements = validator.list(argument, counts: counts.relative(to: 0..<Int.max)) else { return }
            validator.check(elements) { $0.checkArgument($1) }
        }
    }

    /// One value or operation. The schema accepts a list of any length, since a list may also be the argument itself.
    static let single = RuleArguments { $0.checkArgument($1) }

    /// The name of an attribute, with a value if there is none.
    static let variable = RuleArguments { $0.checkVariable($1) }

    /// Names of attributes.
    static let names = RuleArguments { $0.checkTexts($1) }

    /// A number and names of attributes.
    static let someNames = RuleArguments { validator, argument in
        guard let elements = validator.list(argument, counts: 2..<3) else { return }
        if FlagValueType(elements[0]) != .number { validator.at("0") { $0.report("a number is needed here") } }
        validator.at("1") { $0.checkTexts(elements[1]) }
    }

    /// Two texts or operations.
    static let texts = RuleArguments { validator, argument in
        guard let elements = validator.list(argument, counts: 2..<3) else { return }
        validator.check(elements) { validator, element in
            switch element {
            case .string: break
            case .object: validator.checkOperation(element)
            default: validator.report("a text or an operation is needed here")
            }
        }
    }
}
