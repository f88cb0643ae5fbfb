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

    func lookUp(_ path: VariablePath) -> EncodedFlagValue? {
        switch path.origin {
        case .whole: return wholeData()
        case .data: break
        case .targetingKey:
            if case .context = scope, let key = environment.targetingKey { return .string(key) }
        case .flagKey:
            if case .context = scope { return .string(environment.flagKey) }
        case .timestamp:
            if case .context = scope { return .integer(Int128(environment.settings.timestamp())) }
        }
        guard var value = member(path.components[0]) else { return nil }
        for component in path.components.dropFirst() {
            guard let next = Self.member(component, of: value) else { return nil }
            value = next
        }
        return value
    }

    /// The first step into the data of the current scope.
    private func member(_ component: VariablePath.Component) -> EncodedFlagValue? {
        switch scope {
        case .context:
            if let value = environment.attributes[component.name], component.name != "$flagd" {
                if component.name != "targetingKey" || environment.targetingKey == nil { return value }
            }
            switch component.name {
            case "targetingKey": return environment.targetingKey.map { .string($0) }
            case "$flagd": return flagdProperties
            default: return nil
            }
        case .element(let value): return Self.member(component, of: value)
        case .reduction(let current, let accumulator):
            switch component.name {
            case "current": return current
            case "accumulator": return accumulator
            default: return nil
            }
        }
    }

    /// A property as JavaScript gives it: members of objects, elements and lengths of lists and texts.
    private static func member(_ component: VariablePath.Component, of value: EncodedFlagValue) -> EncodedFlagValue? {
        switch value {
        case .object(let members): return members[component.name]
        case .array(let elements):
            if let index = component.index { return index < elements.count ? elements[index] : nil }
            return component.name == "length" ? .integer(Int128(elements.count)) : nil
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
            "flagKey": .string(environment.flagKey), "timestamp": .integer(Int128(environment.settings.timestamp())),
        ])
    }

    private func wholeData() -> EncodedFlagValue {
        switch scope {
        case .context:
            var members = environment.attributes
            if let key = environment.targetingKey { members["targetingKey"] = .string(key) }
            members["$flagd"] = flagdProperties
            return .object(members)
        case .element(let value): return value
        case .reduction(let current, let accumulator):
            return .object(["current": current, "accumulator": accumulator])
        }
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
