public import TacklineCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: the bounds of dates.

extension FlagManifest: Codable {
    /// Reads either form from its JSON text, in UTF-8.
    ///
    /// - Throws: ``FlagManifestError`` for the first mistake, with line and column if it is one of JSON.
    public init(json bytes: [UInt8]) throws(FlagManifestError) {
        var reader = FlagJSONReader(requiresObject: true)
        // Room for a default as deep as a value file may hold.
        reader.limits.maximumDepth = EncodedFlagValue.maximumDepth + 16
        let document: EncodedFlagValue
        do {
            document = try reader.read(bytes)
        } catch {
            throw FlagManifestError(path: error.path, message: error.message, syntaxError: error)
        }
        try self.init(document)
    }

    /// Reads either form.
    ///
    /// Members that are not known are ignored.
    ///
    /// - Throws: ``FlagManifestError`` for the first mistake, and for a manifest with a greater version than
    ///   ``version``.
    public init(_ document: EncodedFlagValue) throws(FlagManifestError) {
        let root = try FlagManifestReader(document, path: [])
        guard let version = try root.integer("tacklineManifest") else {
            guard let flags = try root.object("flags") else {
                throw FlagManifestError(
                    path: [],
                    message: """
                        neither "tacklineManifest" nor "flags" stands in it; export a manifest with FlagManifest(loader)
                        """)
            }
            self = FlagManifest(collections: [try Listing(openFeature: flags)])
            return
        }
        guard (1...Int128(FlagManifest.version)).contains(version) else {
            throw FlagManifestError(
                path: ["tacklineManifest"],
                message: """
                    the manifest is of version \(version), and version \(FlagManifest.version) is the newest known here; \
                    use a Tackline as new as the app's
                    """)
        }
        guard let collections = try root.elements("collections") else { throw root.missing("collections") }
        self.collections = []
        for collection in collections { self.collections.append(try Listing(collection)) }
        if let attributes = try root.object("attributes") {
            for name in attributes.members.keys.sorted() {
                self.attributes[name] = try ValueType.Kind(attributes, in: name)
            }
        }
    }

    /// Reads what any encoder wrote.
    public init(from decoder: any Decoder) throws {
        try self.init(EncodedFlagValue(from: decoder))
    }

    /// Writes the manifest's own form.
    public func encode(to encoder: any Encoder) throws {
        try encoded.encode(to: encoder)
    }
}

extension FlagManifest.Listing {
    fileprivate init(_ reader: FlagManifestReader) throws(FlagManifestError) {
        self.init(name: try reader.text("name"), description: try reader.text("description") ?? "")
        if let separator = try reader.text("separator") { self.separator = separator }
        for flag in try reader.elements("flags") ?? [] { flags.append(try FlagManifest.Entry(flag)) }
    }

    fileprivate init(openFeature reader: FlagManifestReader) throws(FlagManifestError) {
        self.init()
        for key in reader.members.keys.sorted() {
            guard let flag = try reader.object(key) else { throw reader.missing(key) }
            guard let typeName = try flag.text("flagType") else { throw flag.missing("flagType") }
            let kinds: [String: FlagManifest.ValueType.Kind] = [
                "boolean": .boolean, "string": .string, "integer": .integer, "float": .number, "object": .object,
            ]
            guard var kind = kinds[typeName] else {
                throw flag.mistake(
                    "flagType", "there is no type \"\(typeName)\"; it is one of boolean, string, integer, float, object"
                )
            }
            let value = flag.members["defaultValue"]
            if kind == .object, case .array? = value { kind = .array }
            flags.append(
                FlagManifest.Entry(
                    key: key, type: FlagManifest.ValueType(kind), defaultValue: value,
                    metadata: FlagMetadata(description: try flag.text("description") ?? "")))
        }
    }
}

extension FlagManifest.Entry {
    fileprivate init(_ reader: FlagManifestReader) throws(FlagManifestError) {
        guard let key = try reader.text("key") else { throw reader.missing("key") }
        guard let type = try reader.object("type") else { throw reader.missing("type") }
        let metadata = FlagMetadata(
            name: try reader.text("name"), description: try reader.text("description") ?? "",
            isInternal: try reader.fact("isInternal"), isLocked: try reader.fact("isLocked"),
            tags: try reader.texts("tags"), owner: try reader.text("owner"),
            expiryDate: try reader.date("expiryDate"), ticket: try reader.text("ticket"))
        self.init(
            key: key, property: try reader.text("property") ?? "", groups: try reader.texts("groups"),
            type: try FlagManifest.ValueType(type, levels: 16), defaultValue: reader.members["default"],
            isComputed: try reader.fact("isComputed"), metadata: metadata)
    }
}

extension FlagManifest.ValueType.Kind {
    fileprivate init(_ reader: FlagManifestReader, in member: String) throws(FlagManifestError) {
        guard let text = try reader.text(member) else { throw reader.missing(member) }
        guard let kind = Self(rawValue: text) else {
            let kinds = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw reader.mistake(member, "there is no kind \"\(text)\"; it is one of \(kinds)")
        }
        self = kind
    }
}

extension FlagManifest.ValueType {
    /// Returns a date in place of its text in JSON.
    private static func date(_ value: EncodedFlagValue) -> EncodedFlagValue {
        (try? Date(encoded: value).encoded) ?? value
    }

    /// - Parameter levels: How many types may still stand in each other.
    fileprivate init(_ reader: FlagManifestReader, levels: Int) throws(FlagManifestError) {
        self.init(
            try Kind(reader, in: "kind"), name: try reader.text("name") ?? "", isOptional: try reader.fact("isOptional")
        )
        if kind != .integer, let minimum = reader.members["minimum"], let maximum = reader.members["maximum"] {
            let (least, greatest) = kind == .date ? (Self.date(minimum), Self.date(maximum)) : (minimum, maximum)
            bounds = .range(minimum: least, maximum: greatest)
            guard bounds?.contains(least) == true else {
                throw reader.mistake("minimum", "it is above the maximum; exchange them")
            }
        } else if let least = try reader.integer("minimum"), let greatest = try reader.integer("maximum") {
            guard least <= greatest else { throw reader.mistake("minimum", "it is above the maximum; exchange them") }
            range = least...greatest
        }
        if let text = try reader.text("pattern") {
            // Swift's reader of expressions calls itself for each class in a class.
            let classes = ["[", "&&", "--", "~~"].reduce(0) { $0 + text.ranges(of: $1).count }
            guard text.utf8.count <= 1024, classes <= 60 else {
                throw reader.mistake("pattern", "it has more than 1,024 bytes or more than 60 classes; shorten it")
            }
            if let mistake = EncodedFlagBounds.mistake(inPattern: text) {
                throw reader.mistake("pattern", "it can't be used: \(mistake)")
            }
            bounds = .matching(text)
        }
        if case .array(let values)? = reader.members["cases"] { cases = values }
        guard let element = try reader.object("element") else { return }
        guard levels > 0 else {
            throw reader.mistake("element", "more than 16 types inside each other; flatten the type")
        }
        self.element = try FlagManifest.ValueType(element, levels: levels - 1)
    }
}
