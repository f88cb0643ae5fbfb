import TacklineCore

/// Walks through compiled rules, for checks and for explanations.
extension Rule {
    /// The name of the evaluator that a `$ref` stands for.
    var referencedName: String? { if case .reference = preparation { arguments[0].text } else { nil } }

    /// Returns the keys and positions that lead from the node to one of its parts.
    func path(to position: Int) -> [String] {
        guard let operation else { return [String(position)] }
        return hasList ? [operation.name, String(position)] : [operation.name]
    }

    /// Calls a closure with each operation and its place, from the outside inwards, until it returns `false`.
    ///
    /// It does not follow `$ref`, since an evaluator needs to be visited only once.
    ///
    /// - Parameters:
    ///   - path: The place of the node.
    ///   - inElements: Whether to visit operations that are evaluated for the elements of a list, in which names have
    ///     another meaning.
    /// - Returns: Whether the closure was called with all operations.
    @discardableResult
    func visit(
        at path: [String] = [], inElements: Bool = false, _ body: (_ rule: Rule, _ path: [String]) -> Bool
    ) -> Bool {
        var parts = arguments[...]
        if let operation {
            guard body(self, path) else { return false }
            if !inElements, operation.bindsElements { parts = parts.prefix(1) }
        }
        for (position, part) in parts.enumerated() where part.value == nil {
            guard part.visit(at: path + self.path(to: position), inElements: inElements, body) else { return false }
        }
        return true
    }

    /// Returns the attributes that an operation asks the context for by name, with their places.
    func attributes(at path: [String] = []) -> [(name: String, path: [String])] {
        func texts(_ rules: some Sequence<Rule>, _ path: [String], in list: Rule) -> [(String, [String])] {
            rules.enumerated().compactMap { position, rule in rule.text.map { ($0, path + list.path(to: position)) } }
        }
        switch operation?.name {
        case "var": return texts(arguments.prefix(1), path, in: self)
        case "missing":
            guard let first = arguments.first, let elements = first.elements else {
                return texts(arguments, path, in: self)
            }
            return texts(elements, path + self.path(to: 0), in: first)
        case "missing_some" where arguments.count > 1:
            return texts(arguments[1].elements ?? [], path + self.path(to: 1), in: arguments[1])
        default: return []
        }
    }
}
