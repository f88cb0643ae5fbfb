package import TacklineCore

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

// Foundation: the expiry date.

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
        private static func carriedByJSON(_ value: EncodedFlagValue) -> EncodedFlagValue? {
            guard let bytes = try? FlagJSONWriter(layout: .compact).bytes(of: value) else { return nil }
            return try? FlagJSONReader().read(bytes)
        }
    }
}
