import TacklineCore

/// The results that a rule can give and the attributes that it asks for, found without evaluating it.
///
/// It doesn't follow `$ref`: an evaluator is read once, however many rules name it.
struct RuleReading: Sendable {
    /// Content with its place in the document.
    struct Place<Content: Sendable>: Sendable {
        let content: Content
        let path: [String]
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
    /// The keys that its splits bucket by, unless they are left out: anywhere in the rule, conditions included.
    private(set) var splitKeys: [Place<Rule>] = []
    /// The evaluators that the rule names.
    private(set) var references: Set<Reference> = []
    /// The place that is being read.
    private var path: [String]

    /// Reads the results of a rule.
    ///
    /// - Parameters:
    ///   - path: The place of the rule in the document.
    ///   - splitKeys: Whether the keys that splits bucket by are read as well.
    init(resultsOf rule: Rule, at path: [String], _ results: Results = .all, splitKeys: Bool = false) {
        self.path = path
        readResult(rule, results)
        guard splitKeys else { return }
        rule.visit(at: path, inElements: true) { operation, path in
            if let name = operation.referencedName { references.insert(Reference(name: name, results: nil)) }
            // A list is a share, and the split then buckets by the flag's key and the targeting key.
            if operation.operation?.name == "fractional", let key = operation.arguments.first,
                key.elements == nil
            {
                var place = path
                operation.append(to: &place, 0)
                self.splitKeys.append(Place(content: key, path: place))
            }
            return true
        }
    }

    /// Returns a reading with each result once and at most `limit` variants, for an evaluator that many flags name.
    func distinct(limit: Int = 100) -> RuleReading {
        var reading = self
        var names: Set<String> = []
        reading.variants = []
        for variant in variants
        where reading.variants.count < limit && names.insert(variant.content).inserted {
            reading.variants.append(variant)
        }
        reading.impossible = Array(impossible.prefix(1))
        var seen: Set<String> = []
        reading.tests = tests.filter { seen.insert("\($0.content.results.rawValue) \($0.content.name)").inserted }
        reading.splitKeys = Array(splitKeys.lazy.filter { Self.isAlwaysNull($0.content) }.prefix(1))
        return reading
    }

    // MARK: Results

    /// The maximum number of results that name no variant.
    private static let limit = 20

    private mutating func readResult(_ rule: Rule, _ results: Results) {
        if results.isEmpty { return }
        if let value = rule.value { return readResult(value, results) }
        guard let operation = rule.operation else { return }
        let last = rule.arguments.count - 1
        switch operation.name {
        case "if", "?:":
            for position in 0...max(0, last) where position % 2 == 1 || position == last {
                readPart(position, of: rule, results)
            }
        case "fractional":
            for position in rule.arguments.indices where rule.arguments[position].elements?.isEmpty == false {
                let depth = path.count
                rule.append(to: &path, position)
                readPart(0, of: rule.arguments[position], results)
                path.removeLast(path.count - depth)
            }
        case "or", "and":
            let decisive: Results = operation.name == "or" ? .truthy : .falsy
            for position in rule.arguments.indices {
                readPart(position, of: rule, position == last ? results : results.intersection(decisive))
            }
        case "var": readPart(1, of: rule, results)
        case "log": readPart(0, of: rule, results)
        case "$ref":
            if let name = rule.referencedName { references.insert(Reference(name: name, results: results)) }
        default:
            guard operation.isTest, tests.count < 50 * Self.limit else { return }
            tests.append(Place(content: (operation.name, results), path: path + [operation.name]))
        }
    }

    /// Reads an argument or element, if there is one.
    private mutating func readPart(_ position: Int, of rule: Rule, _ results: Results) {
        let parts = rule.elements ?? rule.arguments
        guard position < parts.count else { return }
        let depth = path.count
        rule.append(to: &path, position)
        readResult(parts[position], results)
        path.removeLast(path.count - depth)
    }

    private mutating func readResult(_ value: EncodedFlagValue, _ results: Results) {
        let isPossible = results.contains(value.isTruthy ? .truthy : .falsy)
        let name: String
        switch value {
        case .string(let text): name = text
        case .bool(let flag): name = flag ? "true" : "false"
        case .integer, .double: name = ScriptNumber.text(value.scriptNumber)
        case .object(let members):
            guard isPossible, impossible.count < Self.limit else { return }
            let names = members.keys.sorted().prefix(5).map(\.quoted).joined(separator: ", ")
            let what =
                members.isEmpty
                ? "an empty object" : "an object with \(names), where an operation has one operator with a list"
            return impossible.append(Place(content: what, path: path))
        case .array([]):
            guard isPossible, impossible.count < Self.limit else { return }
            return impossible.append(Place(content: "an empty list", path: path))
        default: return
        }
        if isPossible { variants.append(Place(content: name, path: path)) }
    }

    // MARK: Splits

    private static let trialLimits = TargetingLimits(maximumSize: 1_000, maximumSteps: 1_000)

    /// Returns whether a rule is null for every context: it is null, it asks for a member of `$flagd` that does not
    /// exist, or it asks for nothing and evaluates to null.
    static func isAlwaysNull(_ key: Rule) -> Bool {
        if key.operation?.name == "var" {
            guard key.arguments.count == 1, let name = key.arguments[0].text, name.hasPrefix("$flagd.") else {
                return false
            }
            return name != "$flagd.flagKey" && name != "$flagd.timestamp"
        }
        let asking = ["var", "missing", "missing_some", "fractional", "$ref"]
        let isAsking = !key.visit(inElements: true) { rule, _ in !asking.contains(rule.operation?.name ?? "") }
        return !isAsking && (try? TargetingRule(key.json, limits: Self.trialLimits).evaluate(.null)) == .null
    }
}
