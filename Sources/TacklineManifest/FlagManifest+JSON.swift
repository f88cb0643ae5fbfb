package import TacklineCore

import TacklineFoundation

// Foundation: the expiry date.

extension FlagManifest {
    /// The manifest in its own form.
    package var encoded: EncodedFlagValue {
        get throws(FlagValueError) {
            ["tacklineManifest": .integer(Int128(FlagManifest.version)), "collections": try collections.encoded]
        }
    }

    /// Reads a manifest. Members that are not known are ignored.
    ///
    /// - Throws: The first mistake with its path.
    package init(_ document: EncodedFlagValue) throws(FlagValueError) {
        let members = try [String: EncodedFlagValue](encoded: document)
        let number = members["tacklineManifest"] ?? .null
        guard let version = try? Int(encoded: number), (1...FlagManifest.version).contains(version) else {
            throw FlagValueError(
                expected: "a version up to \(FlagManifest.version)", found: number, path: ["tacklineManifest"],
                detail: "export it with FlagManifest(loader), and use a Tackline as new as the app's")
        }
        do { collections = try [Listing](encoded: members["collections"] ?? .null) } catch {
            throw error.nested(in: "collections")
        }
    }
}

/// A part of a manifest that is an object in JSON. One list of its members serves reading and writing.
package protocol FlagManifestPart: FlagValue {
    init()
    static var members: [FlagManifestMember<Self>] { get }
    /// Throws an error if the members don't go together.
    func check() throws(FlagValueError)
}

extension FlagManifestPart {
    package init(encoded: EncodedFlagValue) throws(FlagValueError) {
        let values = try [String: EncodedFlagValue](encoded: encoded)
        self.init()
        for member in Self.members {
            do throws(FlagValueError) { try member.read(&self, values[member.name]) } catch {
                throw error.nested(in: member.name)
            }
        }
        try check()
    }

    package var encoded: EncodedFlagValue {
        get throws(FlagValueError) {
            var values: [String: EncodedFlagValue] = [:]
            for member in Self.members { values[member.name] = try member.value(self) }
            return .object(values)
        }
    }

    package func check() {}
}

/// A member of an object in a manifest's JSON, and the property that holds its value.
package struct FlagManifestMember<Part> {
    package let name: String
    let read: (inout Part, EncodedFlagValue?) throws(FlagValueError) -> Void
    let value: (Part) throws(FlagValueError) -> EncodedFlagValue?

    /// - Parameter usual: The value that the property has where the member is left out; `nil` if it is always there,
    ///   and `.some(nil)` if that value is `nil`.
    fileprivate init<Value: FlagValue & Equatable>(
        _ name: String, _ property: WritableKeyPath<Part, Value>, unless usual: Value? = nil
    ) {
        self.name = name
        read = { part, value throws(FlagValueError) in
            guard let value, value != .null else {
                if usual != nil { return }
                throw FlagValueError(expected: "a value", found: .null, detail: "export the manifest again")
            }
            part[keyPath: property] = try Value(encoded: value)
        }
        value = { part throws(FlagValueError) in
            part[keyPath: property] == usual ? nil : try part[keyPath: property].encoded
        }
    }

    /// Creates a member of any value, for which null is a value.
    fileprivate init(_ name: String, any property: WritableKeyPath<Part, EncodedFlagValue?>) {
        self.name = name
        read = { part, value throws(FlagValueError) in part[keyPath: property] = value }
        value = { part throws(FlagValueError) in part[keyPath: property] }
    }
}

extension FlagManifest.Listing: FlagManifestPart {
    package static var members: [FlagManifestMember<Self>] {
        [
            .init("name", \.name, unless: .some(nil)), .init("description", \.description, unless: ""),
            .init("separator", \.separator, unless: FlagKeyPath.defaultSeparator), .init("flags", \.flags),
        ]
    }
}

extension FlagManifest.Entry: FlagManifestPart {
    package static var members: [FlagManifestMember<Self>] {
        [
            .init("key", \.key), .init("type", \.type), .init("property", \.property, unless: ""),
            .init("groups", \.groups, unless: []), .init("default", any: \.defaultValue),
            .init("isComputed", \.isComputed, unless: false), .init("name", \.metadata.name, unless: .some(nil)),
            .init("description", \.metadata.description, unless: ""),
            .init("owner", \.metadata.owner, unless: .some(nil)),
            .init("expiryDate", \.metadata.expiryDate, unless: .some(nil)),
            .init("ticket", \.metadata.ticket, unless: .some(nil)),
            .init("tags", \.metadata.tags, unless: []), .init("isInternal", \.metadata.isInternal, unless: false),
            .init("isLocked", \.metadata.isLocked, unless: false),
        ]
    }
}

extension FlagManifest.ValueType: FlagManifestPart {
    package static var members: [FlagManifestMember<Self>] {
        [
            .init("kind", \.kind), .init("name", \.name, unless: ""),
            .init("isOptional", \.isOptional, unless: false), .init("minimum", any: \.minimum),
            .init("maximum", any: \.maximum), .init("pattern", \.pattern, unless: .some(nil)),
            .init("cases", \.cases, unless: .some(nil)), .init("element", \.element, unless: .some(nil)),
            .init("members", \.members, unless: .some(nil)),
        ]
    }

    package func check() throws(FlagValueError) {
        guard let pattern else { return }
        // Swift's reader of expressions calls itself for each class in a class.
        let classes = ["[", "&&", "--", "~~"].reduce(0) { $0 + pattern.ranges(of: $1).count }
        guard pattern.utf8.count <= 1024, classes <= 60 else {
            throw FlagValueError(
                expected: "a pattern of at most 1,024 bytes and 60 classes", found: .string(pattern), path: ["pattern"])
        }
        if let mistake = EncodedFlagBounds.mistake(inPattern: pattern) {
            throw FlagValueError(
                expected: "a pattern that can be used", found: .string(pattern), path: ["pattern"], detail: mistake)
        }
    }
}

extension FlagManifest.ValueType.Kind: FlagValue {}
