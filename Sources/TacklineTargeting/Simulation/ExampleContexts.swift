import TacklineCore

extension FlagDefinitions {
    /// Contexts that lead through the conditions of the document's rules, as far as these can be read off.
    ///
    /// Each attribute that a rule asks for has the values with which it is compared, some beside them, and none at all; and
    /// every pair of values of two attributes occurs. The targeting keys are `user-1`, `user-2` and so on, and those that rules
    /// name. The same document gives the same contexts.
    ///
    /// At most 16 attributes are varied, over at most eight values each.
    ///
    /// - Parameter count: How many, at least. There are more where the rules ask for much: a hundred for each combination, up
    ///   to 50,000.
    public func exampleContexts(_ count: Int = 10_000) -> [EvaluationContext] {
        var reading = ExampleReading(evaluators: evaluators)
        for (_, flag) in flags.sorted(by: { $0.key < $1.key }) {
            if let rule = flag.targeting { reading.read(rule) }
        }
        let rows = reading.rows()
        let limit = 50_000
        return (0..<max(count, min(rows.count * 100, limit))).map { number in
            var context = EvaluationContext(targetingKey: "user-\(number + 1)")
            for (name, value) in rows[number % rows.count] where value != .null {
                if name == "targetingKey" {
                    if case .string(let key) = value { context.targetingKey = key }
                } else {
                    context.attributes.nest(value, at: name.parts(separatedBy: ".").filter { !$0.isEmpty }[...])
                }
            }
            return context
        }
    }
}

/// Reads off rules what attributes they tell apart. Recursion is bounded by the depth of a rule that was compiled.
private struct ExampleReading {
    /// More attributes, or values of one, cost time and tell little new.
    private static let attributeLimit = 16
    private static let valueLimit = 8

    let evaluators: [String: EncodedFlagValue]
    /// By the paths that `var` takes.
    private var values: [String: [EncodedFlagValue]] = [:]
    /// The attributes in the order in which they were met.
    private var names: [String] = []

    init(evaluators: [String: EncodedFlagValue]) {
        self.evaluators = evaluators
    }

    /// What the attributes are in turns; at least one row.
    func rows() -> [[String: EncodedFlagValue]] {
        var choices: [String: [EncodedFlagValue]] = [:]
        for name in names.prefix(Self.attributeLimit) {
            let values = values[name] ?? []
            choices[name] = (values.isEmpty ? [true] : Array(values.prefix(Self.valueLimit))) + [.null]
        }
        let rows = FlagConstraint.combinations(of: choices, under: [])
        return rows.isEmpty ? [[:]] : rows
    }

    mutating func read(_ rule: EncodedFlagValue, inEvaluator: Bool = false) {
        if case .array(let elements) = rule {
            for element in elements { read(element, inEvaluator: inEvaluator) }
            return
        }
        guard let (name, arguments) = operation(rule) else { return }
        switch name {
        case "var":
            if let attribute = attribute(rule) { note(attribute) }
            for argument in arguments.dropFirst() { read(argument, inEvaluator: inEvaluator) }
        case "$ref":
            guard case .string(let evaluator)? = arguments.first, let rule = evaluators[evaluator], !inEvaluator else {
                return
            }
            read(rule, inEvaluator: true)
        case "map", "filter", "all", "none", "some", "reduce":
            // What follows looks into elements: a list of what one is compared with is an example.
            guard let list = arguments.first else { return }
            if let attribute = attribute(list), arguments.count > 1, let (_, sides) = operation(arguments[1]) {
                for side in sides where operation(side) == nil && FlagValueType(side) != .array {
                    note(attribute, .array([side]))
                }
            }
            read(list, inEvaluator: inEvaluator)
        default:
            readComparison(name, arguments)
            for argument in arguments { read(argument, inEvaluator: inEvaluator) }
        }
    }

    private func operation(_ value: EncodedFlagValue) -> (name: String, arguments: [EncodedFlagValue])? {
        guard case .object(let members) = value, members.count == 1, let (name, argument) = members.first else {
            return nil
        }
        if case .array(let elements) = argument { return (name, elements) }
        return (name, [argument])
    }

    /// The attribute that a node asks for.
    private func attribute(_ node: EncodedFlagValue) -> String? {
        guard let (name, arguments) = operation(node), name == "var", case .string(let attribute)? = arguments.first,
            !attribute.isEmpty, !attribute.hasPrefix("$flagd")
        else { return nil }
        return attribute
    }

    private mutating func note(_ attribute: String, _ example: EncodedFlagValue? = nil) {
        // Users have targeting keys anyhow.
        if attribute == "targetingKey", example == nil { return }
        if values[attribute] == nil {
            values[attribute] = []
            names.append(attribute)
        }
        if let example, values[attribute]?.contains(example) == false { values[attribute]?.append(example) }
    }

    /// Notes the values at which a comparison turns.
    private mutating func readComparison(_ name: String, _ arguments: [EncodedFlagValue]) {
        for (position, argument) in arguments.enumerated() {
            guard let attribute = attribute(argument) else { continue }
            for (place, other) in arguments.enumerated() where place != position && operation(other) == nil {
                switch (name, other) {
                case ("in", .array(let elements)):
                    for element in elements where operation(element) == nil { note(attribute, element) }
                case ("in", .string) where place < position:
                    note(attribute, .array([other]))
                    note(attribute, other)
                case ("==", _), ("===", _), ("!=", _), ("!==", _), ("in", _), ("starts_with", _), ("ends_with", _):
                    note(attribute, other)
                case ("<", .integer(let bound)), ("<=", .integer(let bound)), (">", .integer(let bound)),
                    (">=", .integer(let bound)):
                    // Beyond what a double holds exactly, neighbours are the same.
                    guard (-(1 << 53)...(1 << 53)).contains(bound) else { break }
                    for near in [bound, bound - 1, bound + 1] { note(attribute, .integer(near)) }
                case ("<", .double(let bound)), ("<=", .double(let bound)), (">", .double(let bound)),
                    (">=", .double(let bound)):
                    for near in [bound, bound - 1, bound + 1] { note(attribute, .double(near)) }
                case ("sem_ver", .string) where place == 2:
                    for version in [other, "0.0.0", "9999.0.0"] { note(attribute, version) }
                default: break
                }
            }
        }
    }
}
