public import TacklineCore

public import TacklineFoundation

// Foundation: JSON is `Data`, and flags expire at a `Date`.

/// A description of an app's flags without their values: keys, types, defaults and metadata, for tools that cannot run the app.
///
/// ```swift
/// try FlagManifest(loader).jsonData().write(to: url)
/// ```
///
/// The JSON form is versioned by its member `tacklineManifest`, now 1. Members that are added later leave it as it is, and
/// are ignored by a reader that doesn't know them.
public struct FlagManifest: Sendable, Equatable {
    /// The newest version of the JSON form that can be read.
    package static let version = 1

    /// The collections, in the order in which they were added.
    package var collections: [Listing]

    /// Every flag of every collection.
    package var allFlags: [Entry] { collections.flatMap(\.flags) }

    /// Creates a manifest of one collection.
    package init(flags: [Entry]) {
        collections = [Listing()]
        collections[0].flags = flags
    }

    /// Creates a manifest of a loader's flags.
    ///
    /// Of a `Codable` type, it has the members that the type reads while it decodes the flag's default.
    ///
    /// - Complexity: O(*n*) in the number of flags; every default is encoded.
    public init<Collection>(_ loader: FlagsLoader<Collection>) { self.init([loader.root]) }

    /// Creates a manifest of the flags of a manager's collections, as ``init(_:)-(FlagsLoader<Collection>)`` does.
    ///
    /// - Complexity: O(*n*) in the number of flags; every default is encoded.
    public init(_ manager: FlagsManager) { self.init(manager.collections) }

    private init(_ roots: [FlagGroup]) {
        collections = roots.map { root in
            var listing = Listing()
            (listing.name, listing.description) = (root.metadata.name, root.metadata.description)
            (listing.separator, listing.flags) = (root.keyPath.separator, FlagManifest.entries(of: root, titles: []))
            return listing
        }
    }

    /// Collections hold each other by value, so this ends.
    private static func entries(of group: FlagGroup, titles: [String]) -> [Entry] {
        group.flags.map { Entry($0, groups: titles) }
            + group.groups.flatMap { entries(of: $0, titles: titles + [$0.metadata.name ?? $0.property]) }
    }

    // MARK: JSON

    /// Reads a manifest.
    ///
    /// - Throws: ``/TacklineCore/FlagError`` with the place of the first mistake, and for a manifest of a newer version.
    public init(json: Data) throws(FlagError) {
        // Room for a default as deep as a value file may hold.
        let reader = FlagJSONReader(maximumDepth: EncodedFlagValue.maximumDepth + 16, requiresObject: true)
        do {
            try self.init(reader.read(json))
        } catch {
            throw FlagError(
                .unreadable, "The manifest can't be read: \(error). Export it again with FlagManifest(loader).")
        }
    }

    /// Returns the manifest as JSON, one member a line.
    ///
    /// - Throws: ``/TacklineCore/FlagValueError`` for a default that is nested too deeply for JSON.
    public func jsonData() throws(FlagValueError) -> Data {
        var writer = FlagJSONWriter(layout: .pretty)
        writer.maximumDepth = EncodedFlagValue.maximumDepth + 16
        return Data(try writer.bytes(of: encoded))
    }

    /// The flags of one root collection.
    package struct Listing: Sendable, Equatable {
        /// The collection's name for people; `nil` if it has none.
        package var name: String?
        package var description = ""
        /// The text between two names in a key.
        package var separator = FlagKeyPath.defaultSeparator
        /// The flags: the collection's own first, then group by group.
        package var flags: [Entry] = []

        package init() {}
    }
}

extension FlagManifest {
    /// One flag of a manifest. It has the properties of its metadata.
    @dynamicMemberLookup
    package struct Entry: Sendable, Equatable {
        /// The whole key as text, in the separator of its collection.
        package var key = ""
        /// The path of its property in the source, `secrets.boomFeature`; empty where that is not known.
        package var property = ""
        /// The names of the groups around it, from the outermost inwards.
        package var groups: [String] = []
        /// The values that the flag takes.
        package var type = ValueType(.any)
        /// The default as JSON carries it; `nil` if it is not known or has no form in JSON, as NaN. The default of an
        /// optional flag can be ``/TacklineCore/EncodedFlagValue/null``.
        package var defaultValue: EncodedFlagValue?
        /// Whether it has a computed value, which comes before every provider.
        package var isComputed = false
        /// The description for people. Its name is `nil` where the flag has none but its property's.
        package var metadata = FlagMetadata()

        package init() {}

        package init(
            key: String, type: ValueType, defaultValue: EncodedFlagValue? = nil, metadata: FlagMetadata = FlagMetadata()
        ) {
            (self.key, self.type, self.defaultValue, self.metadata) = (key, type, defaultValue, metadata)
        }

        init(_ flag: AnyFlagHandle, groups: [String]) {
            self.init(
                key: flag.keyPath.text, type: ValueType(of: flag),
                defaultValue: Entry.carriedByJSON(flag.defaultValue), metadata: flag.metadata)
            (property, isComputed, self.groups) = (flag.property, flag.isComputed, groups)
            // The JSON form has no place for these.
            (metadata.order, metadata.iconName) = (0, nil)
            if let last = property.split(separator: ".").last, metadata.name == String(last) { metadata.name = nil }
        }

        package subscript<Value>(dynamicMember path: KeyPath<FlagMetadata, Value>) -> Value { metadata[keyPath: path] }

        /// Returns whether the expiry date is `date` or earlier; `false` if there is none.
        package func isExpired(at date: Date) -> Bool { metadata.expiryDate.map { $0 <= date } ?? false }

        /// Returns a value as it is read back after it was written, so that a manifest equals the one that is read from its text.
        static func carriedByJSON(_ value: EncodedFlagValue) -> EncodedFlagValue? {
            guard let bytes = try? FlagJSONWriter(layout: .compact).bytes(of: value) else { return nil }
            return try? FlagJSONReader().read(bytes)
        }
    }
}
