import TacklineCore

/// The results that a rule can give and the attributes that it asks for, found without evaluating it.
///
/// It doesn't follow `$ref`: an evaluator is read once, however many rules name it.
struct RuleReading: Sendable {
    /// Content with its place in the document.
    struct Place<Content: Sendable>: Sendable {
        let content: Content
        fileprivate let expression: RuleExpression
        /// Whether the place is the operator, and not the expression around it.
        fileprivate var isOperator = false

        var path: [String] { expression.path + (isOperator ? [expression.operation?.name ?? ""] : []) }
    }

    /// The values that can be a rule's result at a place. For example, an argument of `or` is a result if it is true or
    /// the last.
    struct Results: OptionSet, Hashable, Sendable {
        let rawValue: Int

        static let truthy = Results(rawValue: 1)
        static let falsy = Results(rawValue: 2)
        static let all: Results = [.truthy, .falsy]
    }

    /// An evaluator that a rule names, and which of its results count; `nil` if the evaluator does not give the rule's
    /// result.
    struct Reference: Hashable, Sendable {
        let name: String
        let results: Results?
    }

    /// The names of variants that the rule can give, as far as they are written out.
    private(set) var variants: [Place<String>] = []
    /// Results that can name no variant: objects that are no operation, and empty lists.
    private(set) var impossible: [Place<String>] = []
    /// The operators whose result, true or false, names a variant, and which of the two can be given.
    private(set) var tests: [Place<(name: String, results: Results)>] = []
    /// The attributes that it asks the context for, by the paths that `var` takes.
    private(set) var attributes: [Place<String>] = []
    /// The keys that its splits bucket by, unless they are left out: anywhere in the rule, conditions included.
    private(set) var splitKeys: [RuleExpression] = []
    /// The evaluators that the rule names.
    private(set) var references: Set<Reference> = []

    /// Reads the results of a rule.
    ///
    /// - Parameter splitKeys: Whether the keys that splits bucket by are read as well.
    init(resultsOf rule: RuleExpression, _ results: Results = .all, splitKeys: Bool = false) {
        readResult(rule, results)
        guard splitKeys else { return }
        rule.visit(inElements: true) { operation in
            if let evaluator = operation.evaluator { references.insert(Reference(name: evaluator, results: nil)) }
            // A list is a share, and the split then buckets by the flag's key and the targeting key.
            if case .shares? = operation.operation?.flow, operation.count > 0, operation[0].elements == nil {
                self.splitKeys.append(operation[0])
            }
            return true
        }
    }

    /// Reads the attributes that a rule asks for.
    init(attributesOf rule: RuleExpression) {
        rule.visit { expression in
            for name in expression.operation?.names?(expression) ?? [] {
                guard let attribute = name.text, !attribute.isEmpty, attribute != "targetingKey",
                    !attribute.utf8.starts(with: "$flagd".utf8)
                else { continue }
                attributes.append(Place(content: attribute, expression: name))
            }
            return true
        }
    }

    /// Returns a reading with each result once and at most `limit` variants, for an evaluator that many flags name.
    func distinct(limit: Int = 100) -> RuleReading {
        var reading = self
        var names: Set<ExactText> = []
        reading.variants = []
        for variant in variants
        where reading.variants.count < limit && names.insert(ExactText(text: variant.content)).inserted {
            reading.variants.append(variant)
        }
        reading.impossible = Array(impossible.prefix(1))
        var seen: Set<String> = []
        reading.tests = tests.filter { seen.insert("\($0.content.results.rawValue) \($0.content.name)").inserted }
        reading.splitKeys = Array(splitKeys.lazy.filter { Self.isAlwaysNull($0) }.prefix(1))
        return reading
    }

    // MARK: Results

    /// The maximum number of results that name no variant.
    private static let limit = 20

    private mutating func readResult(_ rule: RuleExpression, _ results: Results) {
        if results.isEmpty { return }
        if let value = rule.constant { return readResult(value, rule, results) }
        guard let operation = rule.operation else { return }
        switch operation.flow {
        case .branches:
            for position in 0..<rule.count where position % 2 == 1 || position == rule.count - 1 {
                readResult(rule[position], results)
            }
        case .shares:
            for position in 0..<rule.count {
                let share = rule[position]
                if share.operation == nil, share.count > 0 { readResult(share[0], results) }
            }
        case .junction(let decisive):
            for position in 0..<rule.count {
                let own: Results = position == rule.count - 1 ? .all : decisive ? .truthy : .falsy
                readResult(rule[position], results.intersection(own))
            }
        case .variable:
            if rule.count > 1 { readResult(rule[1], results) }
        case .first:
            if rule.count > 0 { readResult(rule[0], results) }
        case .reference:
            if let evaluator = rule.evaluator { references.insert(Reference(name: evaluator, results: results)) }
        case .own, .join:
            if case .value = operation.evaluation { return }
            guard tests.count < 50 * Self.limit else { return }
            tests.append(Place(content: (operation.name, results), expression: rule, isOperator: true))
        }
    }

    private mutating func readResult(_ value: EncodedFlagValue, _ rule: RuleExpression, _ results: Results) {
        let isPossible = results.contains(value.isTruthy ? .truthy : .falsy)
        let name: String
        switch value {
        case .string(let text): name = text
        case .bool(let flag): name = flag ? "true" : "false"
        case .integer(let number): name = ScriptNumber.text(of: number)
        case .double(let number): name = ScriptNumber.text(number)
        case .decimal(let number): name = ScriptNumber.text(number.nearestDouble)
        case .object(let members):
            guard isPossible, impossible.count < Self.limit else { return }
            let names = members.keys.sorted().prefix(5).map(\.quoted).joined(separator: ", ")
            let what =
                members.isEmpty
                ? "an empty object" : "an object with \(names), where an operation has one operator with a list"
            return impossible.append(Place(content: what, expression: rule))
        case .array([]):
            guard isPossible, impossible.count < Self.limit else { return }
            return impossible.append(Place(content: "an empty list", expression: rule))
        default: return
        }
        if isPossible { variants.append(Place(content: name, expression: rule)) }
    }

    // MARK: Splits

    private static let trialLimits = TargetingLimits(maximumSize: 1_000, maximumSteps: 1_000)

    /// Returns whether an expression is null for every context: it is null, it asks for a member of `$flagd` that does
    /// not exist, or it asks for nothing and evaluates to null.
    static func isAlwaysNull(_ key: RuleExpression) -> Bool {
        if case .variable? = key.operation?.flow {
            guard key.count == 1, let name = key[0].text, name.utf8.starts(with: "$flagd.".utf8) else { return false }
            return name != "$flagd.flagKey" && name != "$flagd.timestamp"
        }
        var isAsking = false
        key.visit(inElements: true) { operation in
            isAsking = operation.operation?.readsContext == true
            return !isAsking
        }
        return !isAsking && (try? TargetingRule(key.json, limits: Self.trialLimits).evaluate(.null)) == .null
    }
}
