import TacklineCore

/// Walks through compiled rules, for checks and for explanations.
extension Rule {
    /// The name of the evaluator that a `$ref` stands for.
    var referencedName: String? { if case .reference = preparation { arguments[0].text } else { nil } }

    /// Returns the keys and positions that lead from the node to one of its parts.
    func path(to position: Int) -> [String] {
        guard case .operation(let operation, let isList) = content else { return [String(position)] }
        return isList ? [operation.name, String(position)] : [operation.name]
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
        var (list, listPath) = (self, path)
        var count = Int.max
        switch operation?.name {
        case "var": count = 1
        case "missing":
            if let first = arguments.first, first.isList { (list, listPath) = (first, path + self.path(to: 0)) }
        case "missing_some" where arguments.count > 1:
            (list, listPath) = (arguments[1], path + self.path(to: 1))
        default: return []
        }
        return list.parts.prefix(count).enumerated().compactMap { position, part in
            part.text.map { ($0, listPath + list.path(to: position)) }
        }
    }
}
