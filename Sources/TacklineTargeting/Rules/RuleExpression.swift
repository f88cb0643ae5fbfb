import TacklineCore

/// A part of a compiled rule with its place in the document: a value, a list of expressions, or an operation with its
/// arguments.
struct RuleExpression: Sendable {
    private enum Content {
        case node(RuleNode, RuleCode)
        case value(EncodedFlagValue)
    }

    private let content: Content
    private let trail: RuleTrail

    /// Creates the expression of a rule.
    ///
    /// - Parameter path: The place of the rule in the document.
    init(_ program: RuleProgram, at path: [String] = []) {
        self.init(program.root, of: program.code, RuleTrail(.start(path), in: nil))
    }

    /// Creates the expression of a node.
    init(_ index: Int32, of code: RuleCode) { self.init(index, of: code, RuleTrail(.start([]), in: nil)) }

    private init(_ index: Int32, of code: RuleCode, _ trail: RuleTrail) {
        let node = code.parts.nodes[Int(index)]
        content = node.kind == .constant ? .value(code.parts.constants[Int(node.payload)]) : .node(node, code)
        self.trail = trail
    }

    private init(_ value: EncodedFlagValue, _ trail: RuleTrail) {
        content = .value(value)
        self.trail = trail
    }

    /// The operator; `nil` for a value and for a list.
    var operation: RuleOperator? {
        if case .node(let node, _) = content, node.isOperation { node.operator } else { nil }
    }

    /// The value of an expression without operations; `nil` for any other.
    var constant: EncodedFlagValue? { if case .value(let value) = content { value } else { nil } }

    /// The value if it is a text.
    var text: String? { if case .value(.string(let text)) = content { text } else { nil } }

    /// The elements of a list; `nil` for an operation and for a value that is no list.
    var elements: [RuleExpression]? {
        switch content {
        case .node(let node, _): node.isOperation ? nil : parts
        case .value(.array): parts
        case .value: nil
        }
    }

    /// The number of arguments or elements; 0 for other values.
    var count: Int {
        switch content {
        case .node(let node, _): Int(node.argumentCount)
        case .value(.array(let elements)): elements.count
        case .value: 0
        }
    }

    /// The arguments or elements.
    var parts: [RuleExpression] { (0..<count).map { self[$0] } }

    subscript(position: Int) -> RuleExpression {
        switch content {
        case .node(let node, let code):
            let index = code.parts.arguments[node.argumentRange][Int(node.firstArgument) + position]
            let step: RuleTrail.Step =
                node.isOperation ? .argument(node.operator.name, node.isList ? position : nil) : .position(position)
            return RuleExpression(index, of: code, RuleTrail(step, in: trail))
        case .value(.array(let elements)):
            return RuleExpression(elements[position], RuleTrail(.position(position), in: trail))
        case .value: return self
        }
    }

    /// The keys and positions that lead to the expression.
    var path: [String] { trail.path }

    /// The name of the evaluator that the expression stands for; `nil` if it stands for none.
    var evaluator: String? { if case .reference? = operation?.flow { self[0].text } else { nil } }

    /// The evaluator that the expression stands for, without its place; `nil` if it stands for none.
    var reference: RuleExpression? {
        guard case .node(let node, let code) = content, node.kind == .reference else { return nil }
        return RuleExpression(code.parts.references[Int(node.payload)])
    }

    /// The expression as it stands in the document.
    var json: EncodedFlagValue {
        switch content {
        case .value(let value): value
        case .node(let node, _):
            if node.isOperation {
                .object([node.operator.name: node.isList ? .array(parts.map(\.json)) : self[0].json])
            } else {
                .array(parts.map(\.json))
            }
        }
    }

    /// Calls a closure with each operation in the expression, from the outside inwards, until it returns `false`.
    ///
    /// It does not follow `$ref`, since an evaluator needs to be visited only once.
    ///
    /// - Parameter inElements: Whether to visit operations that are evaluated for the elements of a list, in which
    ///   names have another meaning.
    func visit(inElements: Bool = false, _ body: (RuleExpression) -> Bool) {
        var rest = [self]
        while let next = rest.popLast() {
            guard case .node(let node, let code) = next.content else { continue }
            if node.isOperation, !body(next) { return }
            let isBound = !inElements && node.isOperation && node.operator.bindsElements
            for position in (0..<(isBound ? min(1, next.count) : next.count)).reversed()
            where code.parts.nodes[Int(code.parts.arguments[Int(node.firstArgument) + position])].kind != .constant {
                rest.append(next[position])
            }
        }
    }
}

/// A place in a document, as a step from the place around it, so that many places share their names.
private final class RuleTrail: Sendable {
    enum Step: Sendable {
        case start([String])
        /// An argument of an operator, with its position if it stands in a list.
        case argument(String, Int?)
        case position(Int)
    }

    private let step: Step
    private let around: RuleTrail?

    init(_ step: Step, in around: RuleTrail?) {
        self.step = step
        self.around = around
    }

    /// The keys and positions that lead to the place.
    var path: [String] {
        var reversed: [String] = []
        var next: RuleTrail? = self
        while let trail = next {
            switch trail.step {
            case .start(let path): reversed += path.reversed()
            case .position(let position): reversed.append(String(position))
            case .argument(let name, let position):
                if let position { reversed.append(String(position)) }
                reversed.append(name)
            }
            next = trail.around
        }
        return reversed.reversed()
    }
}
