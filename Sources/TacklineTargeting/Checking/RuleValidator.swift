import TacklineCore

/// A check of a rule against flagd's `targeting.json`.
///
/// It is stricter in one place: it refuses an object with several operators. The schema accepts such an object if the
/// operators are of one kind, although no evaluator could decide which of them is meant.
extension DefinitionsValidator {
    /// Checks a value as an operation, an object with one operator.
    mutating func checkOperation(_ value: EncodedFlagValue) {
        guard path.count < 3 * RuleLimits.depth else { return report("the rule is nested too deeply") }
        guard case .object(let members) = value else { return report("an operation is needed here, as an object") }
        guard members.count <= 1 else {
            let names = members.keys.sorted().prefix(5).map(\.quoted).joined(separator: ", ")
            return report("an operation has one operator, but here are \(names)")
        }
        guard let (name, argument) = members.first else { return }
        at(name) { $0.check(operator: name, argument) }
    }

    private mutating func checkArgument(_ value: EncodedFlagValue) {
        guard case .object(let members) = value else { return }
        if members.isEmpty { return report("an empty object is neither a value nor an operation") }
        if members.count == 1, let reference = members["$ref"] {
            if case .string = reference { return }
            return at("$ref") { $0.report("the name of an evaluator is needed here, as a text") }
        }
        checkOperation(value)
    }

    private mutating func check(operator name: String, _ argument: EncodedFlagValue) {
        let operation = RuleOperator.byName[name]
        switch operation?.form ?? .none {
        case .none:
            let advice = Names.meant(by: name, among: RuleOperator.table.map(\.name))
            report("there is no operator \(name.quoted)\(advice.map { "; did you mean \($0.quoted)?" } ?? "")")
        case .list(let counts): check(list(argument, counts)) { $0.checkArgument($1) }
        // The schema accepts a list of any length, since a list may also be the argument itself.
        case .single: checkArgument(argument)
        case .variable: checkVariable(argument)
        case .names: checkNames(argument)
        case .someNames:
            guard let elements = list(argument, 2...2) else { return }
            if FlagValueType(elements[0]) != .number { at("0") { $0.report("a number is needed here") } }
            at("1") { $0.checkNames(elements[1]) }
        case .texts:
            check(list(argument, 2...2)) { validator, element in
                switch element {
                case .string: break
                case .object: validator.checkOperation(element)
                default: validator.report("a text or an operation is needed here")
                }
            }
        case .version:
            guard let elements = list(argument, 3...3) else { return }
            for position in [0, 2] { at(String(position)) { $0.checkVersion(elements[position]) } }
            if case .string(let sign) = elements[1], SemanticVersion.signs.contains(sign) { return }
            at("1") { $0.report("one of these is needed here: \(SemanticVersion.signs.joined(separator: " "))") }
        case .shares:
            var isFirst = true
            check(list(argument, 1...Int.max)) { validator, element in
                if isFirst, case .object = element {
                    validator.checkOperation(element)
                } else {
                    validator.checkShare(element)
                }
                isFirst = false
            }
        }
    }

    /// Returns the elements of a list; reports a value that is none, or that has another number of them.
    private mutating func list(_ value: EncodedFlagValue, _ counts: ClosedRange<Int>) -> [EncodedFlagValue]? {
        if case .array(let elements) = value, counts.contains(elements.count) { return elements }
        let last = counts.upperBound == Int.max ? counts.lowerBound : counts.upperBound
        let number =
            counts.upperBound == Int.max
            ? "at least \(last)" : counts.count == 1 ? "\(last)" : "\(counts.lowerBound) to \(last)"
        report("a list with \(number) \(last == 1 ? "element" : "elements") is needed here")
        return nil
    }

    private mutating func check(
        _ elements: [EncodedFlagValue]?, _ check: (inout DefinitionsValidator, EncodedFlagValue) -> Void
    ) {
        for (position, element) in (elements ?? []).enumerated() { at(String(position)) { check(&$0, element) } }
    }

    private mutating func checkVariable(_ argument: EncodedFlagValue) {
        let name: String
        switch argument {
        case .string(let text): name = text
        case .array(let elements):
            guard case .string(let text)? = elements.first else { return }
            name = text
        default: return
        }
        guard name.utf8.count <= VariablePath.nameLimit else { return }
        let reserved = ["$flagd.flagKey", "$flagd.timestamp", "targetingKey"]
        if name.utf8.starts(with: "$flagd.".utf8), !reserved.contains(name) {
            let advice = Names.meant(by: name, among: reserved).map { "; did you mean \($0.quoted)?" }
            report("\"$flagd\" has \"flagKey\" and \"timestamp\" only\(advice ?? "")")
        } else if name.utf8.count >= 8, let meant = Names.meant(by: name, among: reserved) {
            report("no context has \(name.quoted) by itself; did you mean \(meant.quoted)?")
        }
    }

    private mutating func checkNames(_ argument: EncodedFlagValue) {
        guard case .array(let elements) = argument else { return report("a list of texts is needed here") }
        for (position, element) in elements.enumerated() {
            if case .string = element { continue }
            at(String(position)) { $0.report("a text is needed here") }
        }
    }

    private mutating func checkVersion(_ value: EncodedFlagValue) {
        switch value {
        case .string(let text):
            // The schema accepts complete versions only, although the evaluation accepts partial ones and a leading `v`
            // as well.
            let core = text.prefix { $0 != "-" && $0 != "+" }
            let isComplete = core.split(separator: ".", omittingEmptySubsequences: false).count == 3
            if !isComplete || text.first?.isNumber != true || SemanticVersion(text) == nil {
                report("a complete version such as \"1.2.3\" is needed here")
            }
        case .object([:]): break
        case .object(let members) where members.count == 1 && members["var"] != nil: checkOperation(value)
        default: report("a version or a \"var\" is needed here")
        }
    }

    private mutating func checkShare(_ share: EncodedFlagValue) {
        guard case .array(let parts) = share, (1...2).contains(parts.count) else {
            return report("a variant with its weight is needed here, as a list of one or two")
        }
        at("0") { $0.checkArgument(parts[0]) }
        guard parts.count == 2 else { return }
        at("1") { validator in
            if case .object = parts[1] { return validator.checkOperation(parts[1]) }
            let weight = parts[1].scriptNumber
            if weight < 0 || weight.rounded(.towardZero) != weight {
                validator.report("a weight needs to be a whole number that is not negative, or an operation")
            }
        }
    }
}
