public import TacklineCore

extension FlagManifest {
    /// The manifest in its own form, to be written as JSON.
    public var encoded: EncodedFlagValue {
        var members: [String: EncodedFlagValue] = [
            "tacklineManifest": .integer(Int128(FlagManifest.version)),
            "collections": .array(collections.map(\.encoded)),
        ]
        if !attributes.isEmpty { members["attributes"] = .object(attributes.mapValues { .string($0.rawValue) }) }
        return .object(members)
    }

    /// The manifest as JSON, one member a line.
    ///
    /// - Throws: ``/TacklineCore/FlagValueError`` if a default was put in by hand that JSON cannot hold; a manifest
    ///   that a loader made has none.
    public func jsonText() throws(FlagValueError) -> String {
        var writer = FlagJSONWriter(layout: .pretty)
        writer.maximumDepth = EncodedFlagValue.maximumDepth + 16
        return try writer.text(of: encoded)
    }

    /// The manifest in the form of the OpenFeature CLI (`open-feature/cli`, `schema/v0/flag-manifest.json`), from which
    /// that tool generates code in several languages.
    ///
    /// It knows the types boolean, string, integer, float and object, and needs a default: dates, URLs and the like
    /// become strings, arrays become objects, and a flag whose default is `nil` or unknown is left out.
    ///
    /// - Returns: The document, and the keys that were left out. Of flags with one key the first that has
    ///   a form is taken; the key is also among those left out if one before it has none.
    public func openFeatureForm() -> (document: EncodedFlagValue, omittedKeys: [String]) {
        var flags: [String: EncodedFlagValue] = [:]
        var omitted: [String] = []
        for flag in allFlags where flags[flag.key] == nil {
            guard let value = flag.defaultValue, value != .null, let type = flag.type.openFeatureType(of: value) else {
                omitted.append(flag.key)
                continue
            }
            var members: [String: EncodedFlagValue] = ["flagType": .string(type), "defaultValue": value]
            if !flag.description.isEmpty { members["description"] = .string(flag.description) }
            if case .array = value { members["schema"] = ["type": "array"] }
            flags[flag.key] = .object(members)
        }
        return (["flags": .object(flags)], omitted)
    }
}

extension FlagManifest.Listing {
    fileprivate var encoded: EncodedFlagValue {
        var members: [String: EncodedFlagValue] = [
            "separator": .string(separator), "flags": .array(flags.map(\.encoded)),
        ]
        if let name { members["name"] = .string(name) }
        if !description.isEmpty { members["description"] = .string(description) }
        return .object(members)
    }
}

extension FlagManifest.Entry {
    /// The entry as JSON, without the members that have their usual value.
    fileprivate var encoded: EncodedFlagValue {
        var members: [String: EncodedFlagValue] = ["key": .string(key), "type": type.encoded]
        let texts = [
            "property": property.isEmpty ? nil : property, "name": name, "owner": owner, "ticket": ticket,
            "description": description.isEmpty ? nil : description,
            "expiryDate": expiryDate.flatMap { try? FlagTimestamp.text(of: $0) },
        ]
        for (name, text) in texts { members[name] = text.map { .string($0) } }
        for (name, list) in ["groups": groups, "tags": tags] where !list.isEmpty {
            members[name] = .array(list.map { .string($0) })
        }
        for (name, fact) in ["isComputed": isComputed, "isInternal": isInternal, "isLocked": isLocked] where fact {
            members[name] = true
        }
        members["default"] = defaultValue
        return .object(members)
    }
}

extension FlagManifest.ValueType {
    fileprivate var encoded: EncodedFlagValue {
        var members: [String: EncodedFlagValue] = ["kind": .string(kind.rawValue)]
        if !name.isEmpty { members["name"] = .string(name) }
        if isOptional { members["isOptional"] = true }
        if let range {
            members["minimum"] = .integer(range.lowerBound)
            members["maximum"] = .integer(range.upperBound)
        }
        switch bounds {
        case .range(let minimum, let maximum):
            members["minimum"] = minimum
            members["maximum"] = maximum
        case .matching(let pattern): members["pattern"] = .string(pattern)
        case .typeRange, .oneOf, nil: break
        }
        if let cases { members["cases"] = .array(cases) }
        if let element { members["element"] = element.encoded }
        return .object(members)
    }

    /// The type's name in the OpenFeature CLI's manifest; `nil` where the value is of none.
    fileprivate func openFeatureType(of value: EncodedFlagValue) -> String? {
        switch value {
        case .bool: "boolean"
        case .integer: kind == .number ? "float" : "integer"
        case .double: "float"
        case .string, .data, .date, .unparsed: "string"
        case .array, .object: "object"
        case .null: nil
        }
    }
}
