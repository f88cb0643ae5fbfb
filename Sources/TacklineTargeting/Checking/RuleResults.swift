import TacklineCore

/// Walks through compiled rules, for checks and for explanations.
extension Rule {
    /// Appends the keys and positions that lead from the node to one of its arguments or elements.
    func append(to path: inout [String], _ position: Int) {
        if let operation { path.append(operation.name) }
        if hasList { path.append(String(position)) }
    }

    /// Calls a closure with each operation and its place, from the outside inwards, until it returns `false`.
    ///
    /// It does not follow `$ref`, since an evaluator needs to be visited only once, and it does not visit operations that
    /// are evaluated for the elements of a list, in which names have another meaning.
    ///
    /// - Returns: Whether the closure was called with all operations.
    @discardableResult
    func visit(at path: [String] = [], _ body: (_ rule: Rule, _ path: [String]) -> Bool) -> Bool {
        if operation != nil, !body(self, path) { return false }
        let parts = operation?.bindsElements == true ? arguments.prefix(1) : arguments[...]
        for (position, part) in parts.enumerated() where part.value == nil {
            var place = path
            append(to: &place, position)
            guard part.visit(at: place, body) else { return false }
        }
        return true
    }

    /// Returns the attributes that an operation asks the context for by name, with their places.
    func attributes(at path: [String] = []) -> [(name: String, path: [String])] {
        var path = path
        let (list, rules): (Rule, [Rule])
        switch operation?.name {
        case "var": (list, rules) = (self, Array(arguments.prefix(1)))
        case "missing": (list, rules) = (self, arguments)
        case "missing_some" where arguments.count > 1:
            append(to: &path, 1)
            (list, rules) = (arguments[1], arguments[1].elements ?? [])
        default: return []
        }
        return rules.enumerated().compactMap { position, rule in
            var place = path
            list.append(to: &place, position)
            return rule.text.map { ($0, place) }
        }
    }
}

/// A search of rules for results that name no variant of their flag, without evaluating anything.
struct RuleResults {
    struct Finding: Hashable {
        let path: [String]
        /// The variant that is missing; `nil` for any other problem.
        var variant: String?
        var message = ""
    }

    /// The number of places that may still be searched: a document may name a large evaluator in each of its flags.
    private var remaining = 500_000
    private var path: [String] = []
    private var flag: FlagDefinition?
    private var findings: [Finding] = []

    /// Returns the first twenty results of a rule at a place that name none of the flag's variants.
    mutating func search(_ rule: Rule, at path: [String], of flag: FlagDefinition) -> [Finding] {
        (self.path, self.flag, findings) = (path, flag, [])
        search(rule, nil)
        return findings
    }

    private mutating func report(_ path: [String], variant: String? = nil, _ message: String = "") {
        let finding = Finding(path: path, variant: variant, message: message)
        if findings.count < 20, !findings.contains(finding) { findings.append(finding) }
    }

    /// - Parameter truth: The truth that a result must have to be given out, as an argument of `or` is if it is true;
    ///   `nil` for any.
    private mutating func search(_ rule: Rule, _ truth: Bool?) {
        remaining -= 1
        guard remaining > 0 else { return }
        if let value = rule.value {
            if truth == nil || truth == value.isTruthy { check(value) }
            return
        }
        guard let operation = rule.operation else { return check(.array([.null])) }
        let last = rule.arguments.count - 1
        switch operation.name {
        case "if", "?:":
            for position in 0...max(0, last) where position % 2 == 1 || position == last {
                search(position, of: rule, truth)
            }
        case "fractional":
            for position in rule.arguments.indices {
                guard let share = rule.arguments[position].elements?.first else { continue }
                let depth = path.count
                rule.append(to: &path, position)
                path.append("0")
                search(share, truth)
                path.removeLast(path.count - depth)
            }
        case "or", "and":
            let decisive = operation.name == "or"
            for position in rule.arguments.indices where position == last || truth != !decisive {
                search(position, of: rule, position == last ? truth : decisive)
            }
        case "var": search(1, of: rule, truth)
        case "log": search(0, of: rule, truth)
        case "$ref":
            guard case .reference(let root) = rule.preparation, let name = rule.arguments[0].text else { return }
            let outer = path
            path = ["$evaluators", name]
            search(root, truth)
            path = outer
        default:
            guard operation.isTest else { return }
            let missing = [true, false].filter { (given: Bool) in
                (truth == nil || truth == given) && flag?.value(of: "\(given)") == nil
            }
            guard !missing.isEmpty else { return }
            report(
                path + [operation.name],
                """
                "\(operation.name)" \(truth == nil ? "gives true or false" : "can give \(missing[0])"), and there is no variant \
                \(missing.map { "\"\($0)\"" }.joined(separator: " or ")); put it into an "if", or add variants with these \
                names
                """)
        }
    }

    private mutating func search(_ position: Int, of rule: Rule, _ truth: Bool?) {
        guard position < rule.arguments.count else { return }
        let depth = path.count
        rule.append(to: &path, position)
        search(rule.arguments[position], truth)
        path.removeLast(path.count - depth)
    }

    private mutating func check(_ value: EncodedFlagValue) {
        let name: String
        switch value {
        case .null: return
        case .bool(let flag): name = "\(flag)"
        case .object(let members):
            let names = members.keys.sorted().prefix(5).map(\.quoted).joined(separator: ", ")
            let what = members.isEmpty ? "an empty object" : "an object with \(names)"
            return report(path, "the rule gives \(what), where an operation has one operator with a list")
        case .array: return report(path, "the rule gives a list, which names no variant")
        default: name = value.scriptString ?? ScriptNumber.text(value.scriptNumber)
        }
        if flag?.value(of: name) == nil { report(path, variant: name) }
    }
}
