import TacklineCore

extension RuleOperator {
    /// The operator on versions, which is flagd's.
    static let versions: [RuleOperator] = [
        RuleOperator(
            "sem_ver", .version,
            words: RuleWords(isCompound: true) { text, operation in
                guard operation.count == 3 else { return nil }
                let sign = operation[1].text ?? text.text(operation[1])
                return "\(text.operand(operation[0])) \(sign) version \(text.operand(operation[2]))"
            },
            preparation: { compiler, _, indexes in compiler.addVersionTest(indexes) },
            .truthOrNull { evaluator, node throws(RuleFailure) in try evaluator.isVersion(node) })
    ]
}

extension RuleArguments {
    /// A version, a sign and a version.
    static let version = RuleArguments { validator, argument in
        guard let elements = validator.list(argument, counts: 3..<4) else { return }
        for position in [0, 2] {
            validator.at(String(position)) { $0.checkVersion(elements[position]) }
        }
        if case .string(let name) = elements[1], VersionComparison(rawValue: name) != nil { return }
        let names = VersionComparison.allCases.map(\.rawValue).joined(separator: " ")
        validator.at("1") { $0.report("one of these is needed here: \(names)") }
    }
}

extension RuleValidator {
    fileprivate mutating func checkVersion(_ value: EncodedFlagValue) {
        switch value {
        case .string(let text):
            // The schema accepts complete versions only, although the evaluation accepts partial ones and a leading `v`
            // as well.
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
}

// MARK: Evaluation

/// A `sem_ver` whose operator and target are known when the rule is compiled.
struct VersionTest: Sendable {
    var comparison: VersionComparison
    var target: SemanticVersion
}

/// A comparison operator of `sem_ver`.
enum VersionComparison: String, CaseIterable, Sendable {
    case equal = "="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case sameMajor = "^"
    case sameMinor = "~"

    func holds(_ left: SemanticVersion, _ right: SemanticVersion) -> Bool {
        switch self {
        case .equal: left.order(relativeTo: right) == 0
        case .notEqual: left.order(relativeTo: right) != 0
        case .less: left.order(relativeTo: right) < 0
        case .lessOrEqual: left.order(relativeTo: right) <= 0
        case .greater: left.order(relativeTo: right) > 0
        case .greaterOrEqual: left.order(relativeTo: right) >= 0
        case .sameMajor: left.major == right.major
        case .sameMinor: left.major == right.major && left.minor == right.minor
        }
    }
}

extension RuleCompiler {
    fileprivate mutating func addVersionTest(_ indexes: [Int32]) -> Int32? {
        guard indexes.count == 3, case .string(let name)? = constant(indexes[1]),
            let comparison = VersionComparison(rawValue: name),
            case .string(let text)? = constant(indexes[2]), let target = SemanticVersion(text)
        else { return nil }
        parts.versionTests.append(VersionTest(comparison: comparison, target: target))
        return Int32(parts.versionTests.count - 1)
    }
}

extension RuleEvaluator {
    /// Evaluates `sem_ver`; returns `nil` unless there are two versions with a sign between them.
    fileprivate mutating func isVersion(_ node: RuleNode) throws(RuleFailure) -> Bool? {
        if node.isPrepared {
            guard let version = try version(evaluate(argument: 0, of: node)) else { return nil }
            let test = program.parts.versionTests[Int(node.payload)]
            return test.comparison.holds(version, test.target)
        }
        let values = try evaluateArguments(of: node)
        guard values.count == 3, case .string(let name) = values[1],
            let comparison = VersionComparison(rawValue: name),
            let left = try version(values[0]), let right = try version(values[2])
        else { return nil }
        return comparison.holds(left, right)
    }

    /// Returns the version that a text or a number stands for; `nil` if it is none.
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
