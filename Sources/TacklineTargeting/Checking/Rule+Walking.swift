import TacklineCore

/// Walks through compiled rules, for checks and for explanations.
extension Rule {
    /// The name of the evaluator that a `$ref` stands for.
    var referencedName: String? { if case .reference = preparation { arguments[0].text } else { nil } }

    /// Appends the keys and positions that lead from the node to one of its arguments or elements.
    func append(to path: inout [String], _ position: Int) {
        if let operation { path.append(operation.name) }
        if hasList { path.append(String(position)) }
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
        var path = path
        return visit(&path, inElements: inElements, body)
    }

    private func visit(_ path: inout [String], inElements: Bool, _ body: (Rule, [String]) -> Bool) -> Bool {
        var parts = arguments[...]
        if let operation {
            guard body(self, path) else { return false }
            if !inElements, operation.bindsElements { parts = parts.prefix(1) }
        }
        let depth = path.count
        for (position, part) in parts.enumerated() where part.value == nil {
            append(to: &path, position)
            guard part.visit(&path, inElements: inElements, body) else { return false }
            path.removeLast(path.count - depth)
        }
        return true
    }

    /// Returns the attributes that an operation asks the context for by name, with their places.
    func attributes(at path: [String] = []) -> [(name: String, path: [String])] {
        var (list, path) = (self, path)
        var rules = arguments
        switch operation?.name {
        case "var": rules = Array(arguments.prefix(1))
        case "missing":
            if let first = arguments.first, let elements = first.elements {
                append(to: &path, 0)
                (list, rules) = (first, elements)
            }
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
