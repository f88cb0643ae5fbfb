import TacklineCore
import TacklineFiles

extension RuleOperator {
    /// The operators that read the context.
    static let context: [RuleOperator] = [
        RuleOperator(
            "var", .variable, flow: .variable, words: RuleWords { text, operation in text.variable(operation) },
            names: { Array($0.parts.prefix(1)) },
            preparation: { compiler, values, _ throws(TargetingError) in try compiler.addPath(values.first ?? .null) },
            .value { evaluator, node throws(RuleFailure) in try evaluator.variable(node) }),
        RuleOperator(
            "missing", .names, names: { $0.count > 0 ? $0[0].elements ?? $0.parts : [] },
            .value { evaluator, node throws(RuleFailure) in
                let values = try evaluator.evaluateArguments(of: node)
                guard case .array(let keys)? = values.first else { return .array(try evaluator.missing(values)) }
                return .array(try evaluator.missing(keys))
            }),
        RuleOperator(
            "missing_some", .someNames, names: { $0.count > 1 ? $0[1].elements ?? [] : [] },
            .value { evaluator, node throws(RuleFailure) in try evaluator.missingSome(node) }),
        RuleOperator(
            "$ref", nil, flow: .reference,
            words: RuleWords { _, operation in operation.evaluator.map { "the rule \($0)" } },
            change: { evaluator, node throws(RuleFailure) in
                try evaluator.inReference(node) { evaluator, root throws(RuleFailure) in
                    try evaluator.steppedOutlook(root)
                }
            },
            .value { evaluator, node throws(RuleFailure) in
                try evaluator.inReference(node) { evaluator, root throws(RuleFailure) in try evaluator.evaluate(root) }
            }),
    ]
}

extension RuleCompiler {
    /// Prepares the path that `var` asks for; returns `nil` if the rule computes it.
    fileprivate mutating func addPath(_ value: EncodedFlagValue) throws(TargetingError) -> Int32? {
        let name: String
        switch value {
        case .null: name = ""
        case .string(let text): name = text
        case .integer(let number): name = ScriptNumber.text(Double(number))
        case .double(let number): name = ScriptNumber.text(number)
        case .bool(let flag): name = flag ? "true" : "false"
        default: return nil
        }
        guard !VariablePath.isTooLong(name) else {
            throw failure("the name of an attribute has more than \(VariablePath.nameLimit.byteText); make it shorter")
        }
        parts.paths.append(evaluators.path(name))
        return Int32(parts.paths.count - 1)
    }
}

extension RuleEvaluator {
    /// Calls a closure with the code and the root of the evaluator that a node refers to.
    fileprivate mutating func inReference<Value>(
        _ node: RuleNode, _ body: (inout RuleEvaluator, Int32) throws(RuleFailure) -> Value
    ) throws(RuleFailure) -> Value {
        let outer = program
        let reference = outer.parts.references[Int(node.payload)]
        program = reference.code
        defer { program = outer }
        return try body(&self, reference.root)
    }

    /// Evaluates `var`: the value that is found, else the second argument, else null. A null that is found counts as
    /// found.
    mutating func variable(_ node: RuleNode) throws(RuleFailure) -> EncodedFlagValue {
        let found: EncodedFlagValue?
        if node.isPrepared {
            let path = program.parts.paths[Int(node.payload)]
            if path.cost > 0 { try charge(path.cost) }
            found = try lookUp(path)
        } else {
            found = try lookUp(named: evaluate(argument: 0, of: node))
        }
        if let found { return found }
        return try evaluate(argument: 1, of: node)
    }

    /// Looks up a path that is computed by the rule.
    mutating func lookUp(named name: EncodedFlagValue) throws(RuleFailure) -> EncodedFlagValue? {
        if case .null = name { return try wholeData() }
        let text = try text(name)
        try charge(1 + text.utf8.count / 4)
        guard !VariablePath.isTooLong(text) else { return nil }
        let path = VariablePath(text)
        try charge(path.cost)
        return try lookUp(path)
    }

    @inline(__always)
    mutating func lookUp(_ path: VariablePath) throws(RuleFailure) -> EncodedFlagValue? {
        if path.isAttribute, scope == nil { return context.attributes[path.first.name] }
        return try lookUpAnywhere(path)
    }

    private mutating func lookUpAnywhere(_ path: VariablePath) throws(RuleFailure) -> EncodedFlagValue? {
        switch path.origin {
        case .whole: return try wholeData()
        case .data, .reserved: break
        case .targetingKey:
            if scope == nil, let key = context.targetingKey { return .string(key) }
        case .flagKey:
            if scope == nil { return .string(flag.flagKey) }
        case .timestamp:
            if scope == nil { return .integer(Int128(timestamp ?? program.settings.timestamp())) }
        }
        let first = try path.origin == .data ? member(path.first) : reservedMember(path.first)
        guard var value = first else { return nil }
        for component in path.rest {
            guard let next = try property(component, of: value) else { return nil }
            value = next
        }
        return value
    }

    /// Returns the result of the first step into the data of the current scope.
    private mutating func member(_ component: VariablePath.Component) throws(RuleFailure) -> EncodedFlagValue? {
        guard let scope else { return context.attributes[component.name] }
        guard let accumulator = scope.accumulator else { return try property(component, of: scope.value) }
        switch component.name {
        case "current": return scope.value
        case "accumulator": return accumulator
        default: return nil
        }
    }

    /// Returns the result of the first step if it may lead to the data that the evaluation adds to the context.
    private mutating func reservedMember(
        _ component: VariablePath.Component
    ) throws(RuleFailure) -> EncodedFlagValue? {
        if scope == nil {
            if component.name == "$flagd" { return flagdProperties }
            if let key = context.targetingKey { return .string(key) }
        }
        return try member(component)
    }

    /// Returns a property as JavaScript does: members of objects, elements of lists, code units of texts, and lengths
    /// of both.
    private mutating func property(
        _ component: VariablePath.Component, of value: EncodedFlagValue
    ) throws(RuleFailure) -> EncodedFlagValue? {
        switch value {
        case .object(let members): return members[component.name]
        case .array(let elements):
            if let index = component.index {
                guard index < elements.count else { return Optional.none }
                return elements[index]
            }
            // `.none` and not `nil`, which would be the literal of a null here.
            return component.name == "length" ? .some(.integer(Int128(elements.count))) : .none
        default:
            // A text is traversed for its length in code units, and for the position of one of them.
            try charge(Self.byteCount(value) / 16)
            guard let text = value.scriptString else { return nil }
            if component.name == "length" { return .integer(Int128(text.utf16.count)) }
            guard let index = component.index,
                let position = text.utf16.index(text.startIndex, offsetBy: index, limitedBy: text.endIndex),
                position < text.endIndex
            else { return nil }
            return .string(String(decoding: [text.utf16[position]], as: UTF16.self))
        }
    }

    private var flagdProperties: EncodedFlagValue {
        .object([
            "flagKey": .string(flag.flagKey),
            "timestamp": .integer(Int128(timestamp ?? program.settings.timestamp())),
        ])
    }

    private mutating func wholeData() throws(RuleFailure) -> EncodedFlagValue {
        if let scope {
            guard let accumulator = scope.accumulator else { return scope.value }
            try charge(4)
            return .object(["current": scope.value, "accumulator": accumulator])
        }
        try charge(context.attributes.count + 4)
        var members = context.attributes
        if let key = context.targetingKey { members["targetingKey"] = .string(key) }
        members["$flagd"] = flagdProperties
        return .object(members)
    }

    fileprivate mutating func missingSome(_ node: RuleNode) throws(RuleFailure) -> EncodedFlagValue {
        let needed = try number(evaluate(argument: 0, of: node))
        let keys: [EncodedFlagValue]
        switch try evaluate(argument: 1, of: node) {
        case .array(let elements): keys = elements
        case let key: keys = [key]
        }
        let absent = try missing(keys)
        return .array(Double(keys.count - absent.count) >= needed ? [] : absent)
    }

    /// Returns the keys whose value is missing, null or the empty text.
    fileprivate mutating func missing(_ keys: [EncodedFlagValue]) throws(RuleFailure) -> [EncodedFlagValue] {
        var absent: [EncodedFlagValue] = []
        for key in keys {
            try charge(1)
            switch try lookUp(named: key) {
            case nil, .null?: absent.append(key)
            case .string(let text)? where text.isEmpty: absent.append(key)
            default: break
            }
        }
        return absent
    }
}
