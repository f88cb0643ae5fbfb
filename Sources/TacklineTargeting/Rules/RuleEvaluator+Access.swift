import TacklineCore

extension RuleEvaluator {
    /// `var`: what is found, else the second argument, else null. A null that is found counts as found.
    mutating func variable(_ node: RuleNode) throws(RuleFailure) -> EncodedFlagValue {
        let found: EncodedFlagValue?
        if node.kind == .variable {
            found = lookUp(program.paths[Int(node.payload)])
        } else {
            found = try lookUp(named: evaluate(argument: 0, of: node))
        }
        if let found { return found }
        // A path that is known has left the argument list, so the default stands in another place.
        return try evaluate(argument: node.kind == .variable ? 0 : 1, of: node)
    }

    /// Looks up a path that is only known now.
    mutating func lookUp(named name: EncodedFlagValue) throws(RuleFailure) -> EncodedFlagValue? {
        if case .null = name { return wholeData() }
        let path = try text(name)
        try charge(1 + path.utf8.count / 8)
        return lookUp(VariablePath(path))
    }

    @inline(__always)
    func lookUp(_ path: VariablePath) -> EncodedFlagValue? {
        if path.isAttribute, scope == nil { return context.attributes[path.first.name] }
        return lookUpAnywhere(path)
    }

    private func lookUpAnywhere(_ path: VariablePath) -> EncodedFlagValue? {
        switch path.origin {
        case .whole: return wholeData()
        case .data, .reserved: break
        case .targetingKey:
            if scope == nil, let key = context.targetingKey { return .string(key) }
        case .flagKey:
            if scope == nil { return .string(program.flagKey) }
        case .timestamp:
            if scope == nil { return .integer(Int128(timestamp ?? program.settings.timestamp())) }
        }
        let first = path.origin == .data ? member(path.first) : reservedMember(path.first)
        guard var value = first else { return nil }
        for component in path.rest {
            guard let next = Self.member(component, of: value) else { return nil }
            value = next
        }
        return value
    }

    /// The first step into the data of the current scope.
    private func member(_ component: VariablePath.Component) -> EncodedFlagValue? {
        guard let scope else { return context.attributes[component.name] }
        guard let accumulator = scope.accumulator else { return Self.member(component, of: scope.value) }
        switch component.name {
        case "current": return scope.value
        case "accumulator": return accumulator
        default: return nil
        }
    }

    /// The first step where it may lead to what the evaluation adds to the context.
    private func reservedMember(_ component: VariablePath.Component) -> EncodedFlagValue? {
        if scope == nil {
            if component.name == "$flagd" { return flagdProperties }
            if let key = context.targetingKey { return .string(key) }
        }
        return member(component)
    }

    /// A property as JavaScript gives it: members of objects, elements and lengths of lists and texts.
    private static func member(_ component: VariablePath.Component, of value: EncodedFlagValue) -> EncodedFlagValue? {
        switch value {
        case .object(let members): return members[component.name]
        case .array(let elements):
            if let index = component.index {
                guard index < elements.count else { return Optional.none }
                return elements[index]
            }
            // Not `nil`, which here would be the literal of a null.
            return component.name == "length" ? .some(.integer(Int128(elements.count))) : .none
        default:
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
            "flagKey": .string(program.flagKey),
            "timestamp": .integer(Int128(timestamp ?? program.settings.timestamp())),
        ])
    }

    private func wholeData() -> EncodedFlagValue {
        if let scope {
            guard let accumulator = scope.accumulator else { return scope.value }
            return .object(["current": scope.value, "accumulator": accumulator])
        }
        var members = context.attributes
        if let key = context.targetingKey { members["targetingKey"] = .string(key) }
        members["$flagd"] = flagdProperties
        return .object(members)
    }

    mutating func missing(_ node: RuleNode) throws(RuleFailure) -> EncodedFlagValue {
        if node.operation == .missing {
            let values = try evaluateArguments(of: node)
            if case .array(let keys)? = values.first { return .array(try missing(keys)) }
            return .array(try missing(values))
        }
        let needed = try number(evaluate(argument: 0, of: node))
        let keys: [EncodedFlagValue]
        switch try evaluate(argument: 1, of: node) {
        case .array(let elements): keys = elements
        case let key: keys = [key]
        }
        let absent = try missing(keys)
        return .array(Double(keys.count - absent.count) >= needed ? [] : absent)
    }

    /// The keys under which there is nothing, null, or the empty text.
    private mutating func missing(_ keys: [EncodedFlagValue]) throws(RuleFailure) -> [EncodedFlagValue] {
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
