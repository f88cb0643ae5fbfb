import TacklineCore

/// Checks a rule against flagd's `targeting.json`.
///
/// Stricter in one place: an object with several operators is refused, which the schema lets pass where they are of one
/// kind, although no evaluator would know which is meant.
struct RuleValidator {
    private(set) var problems: [(path: [String], message: String)] = []
    private var path: [String]

    static func problems(in rule: EncodedFlagValue, path: [String]) -> [(path: [String], message: String)] {
        var validator = RuleValidator(path: path)
        if case .object([:]) = rule { return [] }
        validator.checkOperation(rule)
        return validator.problems
    }

    private init(path: [String]) {
        self.path = path
    }

    mutating func report(_ message: String) {
        problems.append((path, message))
    }

    mutating func at(_ component: String, _ check: (inout RuleValidator) -> Void) {
        path.append(component)
        check(&self)
        path.removeLast()
    }

    /// An object with one operator.
    mutating func checkOperation(_ value: EncodedFlagValue) {
        guard path.count < 3 * TargetingLimits.depthCeiling else { return report("the rule is nested too deeply") }
        guard case .object(let members) = value else { return report("an operation is needed here, as an object") }
        guard members.count <= 1 else {
            let names = members.keys.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
            return report("an operation has one operator, but here are \(names)")
        }
        guard let (name, argument) = members.first else { return }
        at(name) { $0.check(operator: name, argument) }
    }

    /// Whatever may be the argument of an ordinary operator.
    mutating func checkArgument(_ value: EncodedFlagValue) {
        guard case .object(let members) = value else { return }
        if members.isEmpty { return report("an empty object is neither a value nor an operation") }
        if members.count == 1, let reference = members["$ref"] {
            if case .string = reference { return }
            return at("$ref") { $0.report("the name of an evaluator is needed here, as a text") }
        }
        checkOperation(value)
    }

    private mutating func check(operator name: String, _ argument: EncodedFlagValue) {
        switch name {
        case "var": checkVariable(argument)
        case "missing": checkTexts(argument)
        case "missing_some": checkMissingSome(argument)
        case "if", "or", "and", "+", "-", "max", "min", "merge", "cat": checkList(argument, counts: 1...Int.max)
        case "==", "===", "!=", "!==", ">", ">=", "%", "/", "map", "filter", "all", "none", "some", "in":
            checkList(argument, counts: 2...2)
        case "substr", "<", "<=": checkList(argument, counts: 2...3)
        case "reduce": checkList(argument, counts: 3...3)
        case "*": checkList(argument, counts: 2...Int.max)
        // A list of any length passes the schema here, since it may also be the argument itself.
        case "!", "!!": checkArgument(argument)
        case "starts_with", "ends_with": checkAffix(argument)
        case "sem_ver": checkVersion(argument)
        case "fractional": checkFractional(argument)
        default: report("there is no operator \"\(name)\"")
        }
    }

    mutating func list(_ value: EncodedFlagValue, counts: ClosedRange<Int>) -> [EncodedFlagValue]? {
        guard case .array(let elements) = value, counts.contains(elements.count) else {
            let count =
                counts.upperBound == Int.max
                ? "at least \(counts.lowerBound)"
                : counts.count == 1 ? "\(counts.lowerBound)" : "\(counts.lowerBound) to \(counts.upperBound)"
            report("a list with \(count) elements is needed here")
            return nil
        }
        return elements
    }

    private mutating func checkList(_ argument: EncodedFlagValue, counts: ClosedRange<Int>) {
        guard let elements = list(argument, counts: counts) else { return }
        for (position, element) in elements.enumerated() { at(String(position)) { $0.checkArgument(element) } }
    }

    private mutating func checkVariable(_ argument: EncodedFlagValue) {
        guard case .string(let name) = argument, name.hasPrefix("$flagd.") else { return }
        if name != "$flagd.timestamp", name != "$flagd.flagKey" {
            report("\"$flagd\" has \"flagKey\" and \"timestamp\" only")
        }
    }

    private mutating func checkTexts(_ argument: EncodedFlagValue) {
        guard case .array(let elements) = argument else { return report("a list of texts is needed here") }
        for (position, element) in elements.enumerated() {
            if case .string = element { continue }
            at(String(position)) { $0.report("a text is needed here") }
        }
    }

    private mutating func checkMissingSome(_ argument: EncodedFlagValue) {
        guard let elements = list(argument, counts: 2...2) else { return }
        if FlagValueType(elements[0]) != .number { at("0") { $0.report("a number is needed here") } }
        at("1") { $0.checkTexts(elements[1]) }
    }

    private mutating func checkAffix(_ argument: EncodedFlagValue) {
        guard let elements = list(argument, counts: 2...2) else { return }
        for (position, element) in elements.enumerated() {
            at(String(position)) { validator in
                switch element {
                case .string: break
                case .object: validator.checkOperation(element)
                default: validator.report("a text or an operation is needed here")
                }
            }
        }
    }
}
