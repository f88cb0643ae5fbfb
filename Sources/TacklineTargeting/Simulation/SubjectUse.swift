/// The way in which an evaluation depends on the targeting key of its context.
///
/// A simulation evaluates a flag again only for a subject that can make a difference.
enum SubjectUse: Int, Comparable {
    /// It is the same for every context: no attribute is read.
    case constant
    /// Only attributes are read.
    case attributes
    /// The key is read only to place the subject in splits.
    case splits
    /// The key is read, or may be.
    case key

    static func < (left: SubjectUse, right: SubjectUse) -> Bool { left.rawValue < right.rawValue }
}

extension FlagDefinition {
    /// The way in which the flag's evaluation depends on the targeting key.
    var subjectUse: SubjectUse {
        guard isAvailable else { return .constant }
        let own = program.map { $0.code.subjectUse($0.root) } ?? .constant
        // The key decides whether a requirement is met, even if all combinations of the flag's own shares are tried.
        let required = prerequisites.map { $0.flag.subjectUse == .splits ? .key : $0.flag.subjectUse }
        return max(own, required.max() ?? .constant)
    }
}

extension RuleCode {
    /// Returns the way in which a node's value depends on the targeting key. Recursion is bounded by the depth of a
    /// compiled rule.
    func subjectUse(_ index: Int32) -> SubjectUse {
        let node = parts.nodes[Int(index)]
        let arguments = parts.arguments[node.argumentRange]
        var use = SubjectUse.constant
        switch node.kind {
        case .constant, .list, .branches: break
        case .variable: use = parts.paths[Int(node.payload)].subjectUse
        case .reference:
            let reference = parts.references[Int(node.payload)]
            return reference.code.subjectUse(reference.root)
        case .split:
            switch parts.splits[Int(node.payload)].key {
            case .targetingKey, .flagAndTargetingKey, .missing: return .splits
            case .node(let index): return keyUse(index)
            case .joined(let first, let count):
                return parts.splitPieces[Int(first)..<Int(first + count)].map(pieceUse).max() ?? .splits
            }
        case .operation:
            if case .shares = node.operator.flow { return max(.splits, arguments.map(keyUse).max() ?? .splits) }
            // It looks attributes up by computed names.
            if node.operator.readsContext { return .key }
        }
        return arguments.reduce(use) { max($0, subjectUse($1)) }
    }

    /// Returns the way in which a split depends on the targeting key because of what it buckets by.
    private func keyUse(_ index: Int32) -> SubjectUse {
        let node = parts.nodes[Int(index)]
        if node.kind == .variable, node.argumentCount <= 1, parts.paths[Int(node.payload)].origin == .targetingKey {
            return .splits
        }
        guard node.isOperation, case .join = node.operator.flow else { return max(.splits, subjectUse(index)) }
        return parts.arguments[node.argumentRange].map(keyUse).max() ?? .splits
    }

    private func pieceUse(_ piece: SplitPiece) -> SubjectUse {
        switch piece {
        case .flagKey, .targetingKey: .splits
        case .node(let index): max(.splits, subjectUse(index))
        }
    }
}

extension VariablePath {
    fileprivate var subjectUse: SubjectUse {
        switch origin {
        case .flagKey, .timestamp: .constant
        case .data: .attributes
        case .whole, .reserved, .targetingKey: .key
        }
    }
}
