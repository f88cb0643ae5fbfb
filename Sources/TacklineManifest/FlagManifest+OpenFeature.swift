package import TacklineCore

extension FlagManifest {
    /// Returns the manifest in the form of the OpenFeature CLI (`open-feature/cli`, `schema/v0/flag-manifest.json`), from
    /// which that tool generates code in several languages.
    ///
    /// It knows the types boolean, string, integer, float and object, and needs a default: dates, URLs and the like
    /// become strings, arrays become objects, and a flag whose default is `nil` or unknown is left out.
    ///
    /// - Returns: The document, and the keys that were left out. Of flags with one key the first that has a form is taken.
    package func openFeatureForm() -> (document: EncodedFlagValue, omittedKeys: [String]) {
        var flags: [String: EncodedFlagValue] = [:]
        var omitted: [String] = []
        for flag in allFlags where flags[flag.key] == nil {
            guard let value = flag.defaultValue, let type = flag.type.openFeatureType(of: value) else {
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

extension FlagManifest.ValueType {
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
