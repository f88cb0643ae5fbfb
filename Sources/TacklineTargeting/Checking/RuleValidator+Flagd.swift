import TacklineCore

extension RuleValidator {
    mutating func checkVersion(_ argument: EncodedFlagValue) {
        guard let elements = list(argument, counts: 3...3) else { return }
        for position in [0, 2] {
            at(String(position)) { $0.checkVersionOperand(elements[position]) }
        }
        if case .string(let name) = elements[1], VersionComparison(rawValue: name) != nil { return }
        let names = VersionComparison.allCases.map(\.rawValue).joined(separator: " ")
        at("1") { $0.report("one of these is needed here: \(names)") }
    }

    private mutating func checkVersionOperand(_ value: EncodedFlagValue) {
        switch value {
        case .string(let text):
            // Complete versions only, although the evaluation takes partial ones and a leading v as well.
            let core = text.prefix { $0 != "-" && $0 != "+" }
            let isComplete = core.split(separator: ".", omittingEmptySubsequences: false).count == 3
            if !isComplete || !(text.utf8.first.map { $0 >= 48 && $0 <= 57 } ?? false) || SemanticVersion(text) == nil {
                report("a complete version such as \"1.2.3\" is needed here")
            }
        case .object([:]): break
        case .object(let members) where members.count == 1 && members["var"] != nil: checkOperation(value)
        default: report("a version or a \"var\" is needed here")
        }
    }

    mutating func checkFractional(_ argument: EncodedFlagValue) {
        guard let elements = list(argument, counts: 1...Int.max) else { return }
        for (position, element) in elements.enumerated() {
            at(String(position)) { validator in
                if position == 0, case .object = element {
                    validator.checkOperation(element)
                } else {
                    validator.checkShare(element)
                }
            }
        }
    }

    private mutating func checkShare(_ share: EncodedFlagValue) {
        guard case .array(let parts) = share, (1...2).contains(parts.count) else {
            return report("a variant with its weight is needed here, as a list of one or two")
        }
        at("0") { $0.checkArgument(parts[0]) }
        guard parts.count == 2 else { return }
        at("1") { $0.checkWeight(parts[1]) }
    }

    private mutating func checkWeight(_ weight: EncodedFlagValue) {
        switch weight {
        case .integer(let number) where number >= 0: break
        case .double(let number) where number >= 0 && number.rounded(.towardZero) == number: break
        case .decimal(let number) where number.nearestDouble >= 0: break
        case .object: checkOperation(weight)
        default: report("a weight needs to be a whole number that is not negative, or an operation")
        }
    }
}
