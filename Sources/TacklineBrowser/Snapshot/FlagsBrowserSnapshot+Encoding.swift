public import TacklineCore

// The same forms as the ones of `Codable`, made directly: a snapshot is written each time that something changes, and
// going through an encoder takes several times as long. A test compares both.

extension FlagsBrowserSnapshot: FlagValue {
    /// The form of ``FlagsBrowserJSON``.
    public var encoded: EncodedFlagValue {
        get throws(FlagValueError) {
            var rest = self
            rest.flags = []
            // Through an encoder: few of them.
            guard case .object(var members) = try Rest(rest: rest).encoded,
                case .object(var snapshot)? = members.removeValue(forKey: "rest")
            else { return .null }
            snapshot["flags"] = .array(try flags.map { flag throws(FlagValueError) in try flag.encoded })
            return .object(snapshot)
        }
    }

    private struct Rest: Codable, FlagValue {
        let rest: FlagsBrowserSnapshot
    }
}

extension FlagsBrowserFlag: FlagValue {
    /// The form of ``FlagsBrowserJSON``.
    public var encoded: EncodedFlagValue {
        get throws(FlagValueError) {
            var members: [String: EncodedFlagValue] = [
                "id": .string(id), "section": .string(section), "name": .string(name), "key": .string(key),
                "property": .string(property), "description": .string(description), "type": .string(type),
                "control": try control.encoded, "isOptional": .bool(isOptional), "metadata": metadata.object,
                "declaredDefault": declaredDefault.object, "value": value.object, "source": source.object,
                "reason": .string(reason), "answers": .array(answers.map(\.object)),
                "defaultValue": defaultValue.object, "isOverridden": .bool(isOverridden),
                "isChangedFromDefault": .bool(isChangedFromDefault), "isPinned": .bool(isPinned),
                "isExpired": .bool(isExpired),
            ]
            members.add("group", group)
            members.add("variant", variant)
            if let scoped { members["scoped"] = scoped.object }
            if let computed { members["computed"] = computed.object }
            if let refusal {
                members["refusal"] = ["code": .string(refusal.code.rawValue), "message": .string(refusal.message)]
            }
            return .object(members)
        }
    }
}

extension FlagsBrowserControl: FlagValue {
    /// The form of ``FlagsBrowserJSON``.
    public var encoded: EncodedFlagValue {
        get throws(FlagValueError) {
            var members: [String: EncodedFlagValue] = ["kind": .string(kind.rawValue)]
            switch self {
            case .integer(let minimum, let maximum):
                members["minimum"] = .string("\(minimum)")
                members["maximum"] = .string("\(maximum)")
            case .text(let format): members["format"] = .string(format.rawValue)
            case .choice(let options):
                members["options"] = .array(
                    options.map { ["label": .string($0.label), "value": $0.value.object] })
            case .toggle, .number, .date, .json: break
            }
            return .object(members)
        }
    }
}

extension FlagsBrowserValue {
    fileprivate var object: EncodedFlagValue {
        var members: [String: EncodedFlagValue] = ["kind": .string(kind.rawValue), "text": .string(text)]
        members.add("input", input)
        return .object(members)
    }
}

extension FlagsBrowserAnswer {
    fileprivate var object: EncodedFlagValue {
        var members: [String: EncodedFlagValue] = [
            "provider": .string(provider), "outcome": .string(outcome.rawValue),
        ]
        if let value { members["value"] = value.object }
        if let expires { members["expires"] = .date(expires) }
        members.add("refusal", refusal)
        members.add("variant", variant)
        members.add("reason", reason)
        members.add("errorMessage", errorMessage)
        if let metadata { members["metadata"] = .object(metadata.mapValues(\.object)) }
        return .object(members)
    }
}

extension FlagsBrowserMetadata {
    fileprivate var object: EncodedFlagValue {
        var members: [String: EncodedFlagValue] = [
            "tags": .array(tags.map { .string($0) }), "isInternal": .bool(isInternal), "isLocked": .bool(isLocked),
        ]
        members.add("owner", owner)
        members.add("ticket", ticket)
        members.add("iconName", iconName)
        if let expiryDate { members["expiryDate"] = .date(expiryDate) }
        return .object(members)
    }
}

extension FlagSource {
    fileprivate var object: EncodedFlagValue {
        switch self {
        case .scope: ["kind": "scope"]
        case .computed: ["kind": "computed"]
        case .default: ["kind": "default"]
        case .provider(let id): ["kind": "provider", "provider": .string(id)]
        }
    }
}

extension [String: EncodedFlagValue] {
    fileprivate mutating func add(_ key: String, _ text: String?) {
        if let text { self[key] = .string(text) }
    }
}
