import TacklineCore

/// A comparison of the attributes that rules ask for with the attributes that contexts have.
struct AttributeCheck {
    /// The maximum number of problems; a longer list is of no use.
    private static let limit = 10_000

    private(set) var problems: [FlagDefinitionProblem] = []
    private let attributes: [String: FlagValueType?]
    private let suggestion: KeySuggestion

    /// - Parameter attributes: The types of the attributes by name; `nil` for an attribute of any type.
    init(_ attributes: [String: FlagValueType?]) {
        self.attributes = attributes
        suggestion = KeySuggestion(attributes.keys.sorted())
    }

    private mutating func warn(_ path: [String], _ flagKey: String?, _ message: String) {
        guard problems.count < Self.limit else { return }
        problems.append(
            FlagDefinitionProblem(flagKey: flagKey, path: JSONPointer.text(path), message: message, severity: .warning))
    }

    mutating func add(_ reading: RuleReading, flagKey: String?) {
        for attribute in reading.attributes where problems.count < Self.limit {
            // A rule may ask for a member of an attribute that is an object.
            let name = String(attribute.content.prefix { $0 != "." })
            guard attributes[attribute.content] == nil, attributes[name] == nil else { continue }
            let advice = suggestion.advice(for: name, otherwise: "correct the name, or give it to the context")
            warn(attribute.path, flagKey, "no context has the attribute \(name.quoted); \(advice)")
        }
        for place in reading.comparisons where problems.count < Self.limit {
            let comparison = place.content
            guard let known = attributes[comparison.attribute], let type = known, !comparison.types.contains(type)
            else {
                continue
            }
            let subject = "the attribute \(comparison.attribute.quoted) is of type \(type.rawValue)"
            if let constant = comparison.constant, comparison.operation != "in" {
                warn(
                    place.path, flagKey,
                    "\(subject), and is compared with \(constant.kind), \(constant); write it as a value of that type")
            } else {
                let types = comparison.types.map(\.rawValue).sorted().joined(separator: " or ")
                let wanted = types.isEmpty ? "nothing" : types
                warn(
                    place.path, flagKey,
                    "\(subject), and \"\(comparison.operation)\" takes \(wanted) here, so it never holds; "
                        + "correct the attribute or the operator")
            }
        }
    }
}
