public import TacklineFoundation
public import TacklineCore

extension FlagOverrides {
    /// A value that a person set for a flag on their own device.
    public struct Entry: FlagValue, Hashable, CustomStringConvertible, CustomReflectable {
        /// The flag's key.
        public var key: FlagKeyPath
        /// The value that wins over those of later providers.
        public var value: EncodedFlagValue
        /// The moment at which it stops having an effect, or `nil` if it has no end.
        public var expires: Date?
        /// The section of a flag browser that it is for, or `nil` if it is for every flag with the key.
        public var section: String?

        package init(key: FlagKeyPath, value: EncodedFlagValue, expires: Date? = nil, section: String? = nil) {
            (self.key, self.value, self.expires, self.section) = (key, value, expires, section)
        }

        /// Reads what ``encoded`` writes. A member that is missing, unknown or wrong is an error.
        public init(encoded: EncodedFlagValue) throws(FlagValueError) {
            let members = try encoded.members(["key", "value"], optional: ["expires", "section"])
            self.init(
                key: FlagKeyPath(try String(encoded: members["key"] ?? .null)), value: members["value"] ?? .null,
                expires: try Date?(encoded: members["expires"] ?? .null),
                section: try String?(encoded: members["section"] ?? .null))
        }

        /// An object with the members `key` and `value`, and where they are there `expires` and `section`.
        public var encoded: EncodedFlagValue {
            var members: [String: EncodedFlagValue] = ["key": .string(key.text), "value": value]
            members["expires"] = expires.map { .date($0) }
            members["section"] = section.map { .string($0) }
            return .object(members)
        }

        func hasEnded(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }

        /// The key, and when it ends. The value is left out, since the flag may be secret.
        public var description: String {
            let end = expires.map { " until \(EncodedFlagValue.date($0))" } ?? ""
            return "override of \(EncodedFlagValue.string(key.text))\(end)"
        }

        /// A mirror without children.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }

    /// Returns the overrides as JSON, for a bug report or the set-up of a test.
    ///
    /// JSON has no bytes and no dates: they come back as texts, which flags of those types take.
    ///
    /// - Throws: `FlagError` where overrides are not allowed.
    public func exportBundle() throws(FlagError) -> Data {
        try throwIfNotAllowed()
        do throws(FlagValueError) { return try FlagJSONWriter().data(of: FlagOverrideBundle(present).encoded) } catch {
            throw FlagError(.unsupportedValue, provider: name, reason: "\(error)", advice: "Remove that override")
        }
    }

    /// Takes the overrides of a bundle that ``exportBundle()`` wrote, all or none. Those that have ended are skipped.
    ///
    /// - Parameters:
    ///   - json: The bundle.
    ///   - isReplacing: Whether overrides that the bundle does not have are removed.
    /// - Throws: `FlagError` where overrides are not allowed, if anything in the bundle is unknown, missing or wrong, and if
    ///   the storage could not keep it. Nothing has changed then.
    public func importBundle(_ json: Data, replacing isReplacing: Bool = false) throws(FlagError) {
        try throwIfNotAllowed()
        let bundle: FlagOverrideBundle
        do {
            bundle = try FlagOverrideBundle(encoded: FlagJSONReader().read(json))
        } catch {
            let reason = "the bundle can't be read: \(error)"
            throw FlagError(.unreadable, provider: name, reason: reason, advice: "Import what exportBundle() wrote")
        }
        try change { [now = now()] entries in
            if isReplacing { entries = [:] }
            for entry in bundle.overrides where !entry.hasEnded(at: now) { entries[entry.key.text] = entry }
        }
    }
}

/// A set of overrides that is exported and imported as one, and kept in a storage.
package struct FlagOverrideBundle: FlagValue {
    package let overrides: [FlagOverrides.Entry]

    /// Creates a bundle, sorted by key and section. Of two overrides of one key and section, the later one counts.
    package init(_ overrides: [FlagOverrides.Entry]) {
        var byName: [String: FlagOverrides.Entry] = [:]
        for entry in overrides { byName["\(entry.key.text)\0\(entry.section ?? "")"] = entry }
        self.overrides = Array(byName.keys).sorted().compactMap { byName[$0] }
    }

    /// Reads what ``encoded`` writes. A member that is missing, unknown or wrong is an error.
    package init(encoded: EncodedFlagValue) throws(FlagValueError) {
        let members = try encoded.members(["format", "overrides", "version"])
        guard members["format"] == "tackline-overrides", members["version"] == 1 else {
            throw FlagValueError(
                expected: "\"format\": \"tackline-overrides\" and \"version\": 1",
                found: .array([members["format"] ?? .null, members["version"] ?? .null]))
        }
        self.init(try [FlagOverrides.Entry](encoded: members["overrides"] ?? .null))
    }

    /// An object with the members `format`, `overrides` and `version`.
    package var encoded: EncodedFlagValue {
        ["format": "tackline-overrides", "overrides": .array(overrides.map(\.encoded)), "version": 1]
    }
}

extension EncodedFlagValue {
    /// Returns the members of an object that has all of the required ones, and no others but the optional ones.
    fileprivate func members(
        _ required: [String], optional: [String] = []
    ) throws(FlagValueError) -> [String: EncodedFlagValue] {
        guard case .object(let members) = self else {
            throw FlagValueError(expected: "an object", found: "something else")
        }
        let names = Array(members.keys).sorted()
        guard required.allSatisfy(names.contains), names.allSatisfy((required + optional).contains) else {
            // Only the names are in the error, since the flag may be secret.
            let expected = "an object with \(required.joined(separator: " and "))"
            throw FlagValueError(expected: expected, found: .array(names.map { .string($0) }))
        }
        return members
    }
}
