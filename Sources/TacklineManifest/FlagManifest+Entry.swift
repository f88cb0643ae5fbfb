public import TacklineCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: the expiry date.

extension FlagManifest {
    /// One flag of a manifest.
    public struct Entry: Sendable, Hashable {
        /// The whole key as text, in the separator of its collection.
        public var key: String
        /// The path of its property in the source, `secrets.boomFeature`; empty where that is not known.
        public var property: String
        /// The name for people; `nil` where it has none but its property's.
        public var name: String?
        /// The names of the groups around it, from the outermost inwards.
        public var groups: [String]
        /// The values that the flag takes.
        public var type: ValueType
        /// The default as JSON carries it; `nil` if it is not known or has no form in JSON, as NaN. The default of an
        /// optional flag can be ``/TacklineCore/EncodedFlagValue/null``.
        public var defaultValue: EncodedFlagValue?
        /// Whether it has a computed value, which comes before every provider.
        public var isComputed: Bool
        /// The flag's description, a sentence.
        public var description: String
        /// The person or team responsible for the flag; `nil` if none is named.
        public var owner: String?
        /// When it should be gone from the code; `nil` for never.
        public var expiryDate: Date?
        /// The ticket that added the flag or will remove it; `nil` if none is named.
        public var ticket: String?
        /// Words that a search finds the flag by.
        public var tags: [String]
        /// Whether it is of no interest to anyone but its developers.
        public var isInternal: Bool
        /// Whether people may only look at it in a browser.
        public var isLocked: Bool

        /// Makes an entry.
        public init(
            key: String, property: String = "", name: String? = nil, groups: [String] = [], type: ValueType,
            defaultValue: EncodedFlagValue? = nil, isComputed: Bool = false, metadata: FlagMetadata = FlagMetadata()
        ) {
            self.key = key
            self.property = property
            self.name = name ?? metadata.name
            self.groups = groups
            self.type = type
            self.defaultValue = defaultValue
            self.isComputed = isComputed
            description = metadata.description
            owner = metadata.owner
            expiryDate = metadata.expiryDate
            ticket = metadata.ticket
            tags = metadata.tags
            isInternal = metadata.isInternal
            isLocked = metadata.isLocked
        }

        /// Describes a flag.
        init(_ flag: AnyFlagHandle, groups: [String]) {
            let value = flag.defaultValue
            self.init(
                key: flag.keyPath.text, property: flag.property, groups: groups,
                type: ValueType(of: flag), defaultValue: Entry.carriedByJSON(value),
                isComputed: flag.isComputed, metadata: flag.metadata)
            if let last = property.split(separator: ".").last, name == String(last) { name = nil }
        }

        /// Whether the expiry date is `date` or earlier; `false` if there is none.
        public func isExpired(at date: Date) -> Bool {
            expiryDate.map { $0 <= date } ?? false
        }

        /// Returns a value as it is read back after it was written, so that a manifest equals the one that is read from its text.
        private static func carriedByJSON(_ value: EncodedFlagValue) -> EncodedFlagValue? {
            guard let bytes = try? FlagJSONWriter(layout: .compact).bytes(of: value) else { return nil }
            return try? FlagJSONReader().read(bytes)
        }
    }
}
