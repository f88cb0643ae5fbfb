import TacklineCore

extension RuleEvaluator {
    mutating func flagdOperation(_ node: RuleNode) throws(RuleFailure) -> EncodedFlagValue {
        if node.operation == .semanticVersion { return try versionComparison(node) }
        return try split(evaluateArguments(of: node))
    }

    /// The operators whose constant argument was prepared when the rule was compiled.
    mutating func test(_ node: RuleNode) throws(RuleFailure) -> EncodedFlagValue {
        if node.kind == .affixTest { return try hasAffix(node).map { .bool($0) } ?? .null }
        let value = try evaluate(argument: 0, of: node)
        if node.kind == .containsConstant {
            guard let text = value.scriptString else { return .bool(false) }
            try charge(text.utf8.count / 16)
            return .bool(program.sets[Int(node.payload)].contains(ExactText(text: text)))
        }
        let test = program.versionTests[Int(node.payload)]
        guard let version = try version(value) else { return .null }
        return .bool(test.comparison.holds(version, test.target))
    }

    /// `sem_ver` with an operator or a target that is only known now.
    private mutating func versionComparison(_ node: RuleNode) throws(RuleFailure) -> EncodedFlagValue {
        let values = try evaluateArguments(of: node)
        guard values.count == 3, case .string(let name) = values[1],
            let comparison = VersionComparison(rawValue: name),
            let left = try version(values[0]), let right = try version(values[2])
        else { return .null }
        return .bool(comparison.holds(left, right))
    }

    /// The version that a text or a number stands for.
    private mutating func version(_ value: EncodedFlagValue) throws(RuleFailure) -> SemanticVersion? {
        switch value {
        case .string, .unparsed, .integer, .double, .decimal: break
        default: return nil
        }
        let text = try text(value)
        try charge(text.utf8.count / 4)
        return SemanticVersion(text)
    }
}
