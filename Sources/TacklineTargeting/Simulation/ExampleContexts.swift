import TacklineCore

extension FlagDefinitions {
    /// Returns contexts that lead through the conditions of the document's rules, as far as these can be read without
    /// evaluating them.
    ///
    /// Each attribute that a rule asks for takes the values with which it is compared, some neighbouring values, and
    /// none; every pair of values of two attributes occurs. The targeting keys are `user-1`, `user-2` and so on, and
    /// those that rules name. The same document gives the same contexts.
    ///
    /// At most 16 attributes are varied, over at most eight values each.
    ///
    /// - Parameter count: The minimum number of contexts. There are more if the rules ask for many attributes: a
    ///   hundred for each combination, up to 50,000.
    public func exampleContexts(_ count: Int = 10_000) -> [EvaluationContext] {
        var reading = ExampleReading()
        for (_, flag) in flags.sorted(by: { $0.key < $1.key }) {
            if let rule = flag.rule { reading.read(rule) }
        }
        let rows = reading.rows()
        let limit = 50_000
        return (0..<max(count, min(rows.count * 100, limit))).map { number in
            var context = EvaluationContext(targetingKey: "user-\(number + 1)")
            for (name, value) in rows[number % rows.count] where value != .null {
                if name == "targetingKey" {
                    if case .string(let key) = value { context.targetingKey = key }
                } else {
                    context.attributes.nest(value, at: name.split(separator: ".").map(String.init)[...])
                }
            }
            return context
        }
    }
}

/// The attributes that rules distinguish, with example values.
private struct ExampleReading {
    /// The maximum number of attributes. More attributes, or values of one, take time and cover little more.
    private static let attributeLimit = 16
    private static let valueLimit = 8

    /// The example values by attribute, as the paths that `var` takes.
    private var values: [String: [EncodedFlagValue]] = [:]
    /// The attributes in the order of their first occurrence.
    private var names: [String] = []

    /// Returns rows of values for the attributes; at least one row.
    func rows() -> [[String: EncodedFlagValue]] {
        var choices: [String: [EncodedFlagValue]] = [:]
        for name in names.prefix(Self.attributeLimit) {
            let values = values[name] ?? []
            choices[name] = (values.isEmpty ? [true] : Array(values.prefix(Self.valueLimit))) + [.null]
        }
        let rows = FlagConstraint.combinations(of: choices, under: [])
        return rows.isEmpty ? [[:]] : rows
    }

    mutating func read(_ rule: RuleExpression) {
        rule.visit { expression in
            // An evaluator refers to no other, so this ends.
            if let reference = expression.reference { read(reference) }
            guard let operation = expression.operation else { return true }
            for case let name? in operation.names?(expression).map(\.text) ?? [] { note(name) }
            if operation.bindsElements, expression.count > 1, let attribute = expression[0].attribute {
                // The other arguments ask for members of elements: a list with the value that an element is compared
                // with is an example.
                for side in expression[1].parts {
                    if let value = side.constant, FlagValueType(value) != .array { note(attribute, .array([value])) }
                }
            }
            guard let comparison = operation.comparison else { return true }
            let sides = expression.parts
            for (asked, side) in sides.enumerated() {
                guard let attribute = side.attribute else { continue }
                for (place, other) in sides.enumerated() where place != asked {
                    guard let constant = other.constant else { continue }
                    for example in comparison.examples(constant, place, asked) { note(attribute, example) }
                }
            }
            return true
        }
    }

    private mutating func note(_ attribute: String, _ example: EncodedFlagValue? = nil) {
        // Contexts have targeting keys in any case.
        guard !attribute.isEmpty, !attribute.hasPrefix("$flagd"), attribute != "targetingKey" || example != nil else {
            return
        }
        if values[attribute] == nil {
            values[attribute] = []
            names.append(attribute)
        }
        if let example, values[attribute]?.contains(example) == false { values[attribute]?.append(example) }
    }
}
