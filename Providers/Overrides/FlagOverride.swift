#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import TacklineCore

// Foundation: `Date` is the moment at which an override ends.

/// A value that a person set for a flag on their own device.
public struct FlagOverride: Sendable, Hashable {
    /// The flag's key.
    public var key: FlagKeyPath
    /// The value that wins over those of later providers.
    public var value: EncodedFlagValue
    /// The moment at which it stops having an effect, or `nil` if it has no end.
    public var expires: Date?
    /// The section of a flag browser that it comes from; `nil` if it is for every flag with the key.
    ///
    /// A browser writes it into a bundle where two of its loaders have the key and hold different overrides for it.
    public var section: String?
    /// Whether the value was set under a key that isn't a loader's, so that an object is a group of values.
    fileprivate var isGroup = true

    /// Makes an override.
    public init(key: FlagKeyPath, value: EncodedFlagValue, expires: Date? = nil, section: String? = nil) {
        self.key = key
        self.value = value
        self.expires = expires
        self.section = section
        guard case .object = value, key.components.count == 1 else { return }
        var document = FlagDocument()
        document.setValue(value, for: key)
        isGroup = document.root[key.text] != nil
    }

    /// Whether it has no effect any more.
    func isExpired(at now: Date) -> Bool {
        expires.map { $0 <= now } ?? false
    }

    /// The text of a key, compared by its bytes. Texts that differ only in their Unicode normalization are two keys.
    struct Name: Hashable {
        private let key: FlagKeyPath

        init(_ key: FlagKeyPath, section: String? = nil) {
            self.key = FlagKeyPath(components: [key.text] + (section.map { [$0] } ?? []))
        }
    }
}

extension FlagDocument {
    /// Creates a document with the values of overrides.
    init(_ overrides: some Sequence<FlagOverride>) {
        self.init()
        for override in overrides {
            if override.isGroup {
                setValue(override.value, for: FlagKeyPath(components: override.key.components))
            } else {
                root[override.key.text] = override.value
            }
        }
    }
}

extension FlagOverride: FlagValue {
    /// Reads what ``encoded`` writes.
    ///
    /// - Throws: `FlagValueError` for anything else. Unknown members are passed over.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        guard case .object(let members) = encoded, case .string(let text)? = members["key"], !text.isEmpty else {
            // An override may be that of a secret flag, so only the member is in the error.
            var found = encoded
            if case .object(let members) = encoded { found = members["key"] ?? .null }
            throw FlagValueError(expected: "an object with the member \"key\", a text that is not empty", found: found)
        }
        var separator = FlagKeyPath.defaultSeparator
        switch members["separator"] {
        case nil: break
        case .string(let text)?: separator = text
        case let other?: throw FlagValueError(expected: "a text as the member \"separator\"", found: other)
        }
        key = FlagKeyPath(text, separator: separator)
        value = members["value"] ?? .null
        switch members["section"] {
        case nil: break
        case .string(let text)?: section = text
        case let other?: throw FlagValueError(expected: "a text as the member \"section\"", found: other)
        }
        isGroup = members["group"] != false
        expires = try members["expires"].map { moment throws(FlagValueError) in try Date(encoded: moment) }
    }

    /// An object with the members `key`, `value`, and where they say something `separator`, `section`, `expires` and
    /// `group`.
    ///
    /// The value `null` is left out, because property lists have none.
    public var encoded: EncodedFlagValue {
        var members: [String: EncodedFlagValue] = ["key": .string(key.text)]
        if key.separator != FlagKeyPath.defaultSeparator { members["separator"] = .string(key.separator) }
        if value != .null { members["value"] = value }
        if let section { members["section"] = .string(section) }
        if let expires { members["expires"] = .date(expires) }
        if !isGroup, key.components.count == 1, case .object = value { members["group"] = false }
        return .object(members)
    }
}

extension FlagOverride: CustomStringConvertible, CustomReflectable {
    /// The key, and when it ends. The value is left out, since the flag may be secret.
    public var description: String {
        let end = expires.map { " until \(EncodedFlagValue.date($0))" } ?? ""
        return "override of \(EncodedFlagValue.string(key.text))\(end)"
    }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
