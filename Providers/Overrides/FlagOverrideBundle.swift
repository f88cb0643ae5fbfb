public import TacklineCore

/// A set of overrides that is exported and imported as one: for a bug report, or the set-up of a test.
///
/// ```json
/// {
///   "format": "tackline-overrides",
///   "overrides": [ { "expires": "2026-12-01T00:00:00Z", "key": "secrets/boom_feature", "value": true } ],
///   "version": 1
/// }
/// ```
public struct FlagOverrideBundle: Sendable, Hashable {
    /// The overrides by key, and by section where a key has several.
    public let overrides: [FlagOverride]

    /// Makes a bundle. Of two overrides of one key and section, the later one counts.
    public init(_ overrides: [FlagOverride]) {
        var latest: [FlagOverride.Name: FlagOverride] = [:]
        for override in overrides { latest[FlagOverride.Name(override.key, section: override.section)] = override }
        self.overrides = latest.values.sorted { ($0.key.text, $0.section ?? "") < ($1.key.text, $1.section ?? "") }
    }

    private static let format: EncodedFlagValue = "tackline-overrides"
    private static let version: EncodedFlagValue = 1
}

extension FlagOverrideBundle: FlagValue {
    /// Reads what ``encoded`` writes.
    ///
    /// - Throws: `FlagValueError` if it is something else, of another version, or has an entry that cannot be read;
    ///   nothing is passed over in silence.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        guard case .object(let members) = encoded, members["format"] == Self.format else {
            // A bundle may have the values of secret flags, so only the member is in the error.
            var found = encoded
            if case .object(let members) = encoded { found = members["format"] ?? .null }
            throw FlagValueError(expected: "an object with \"format\": \"tackline-overrides\"", found: found)
        }
        guard members["version"] == Self.version else {
            throw FlagValueError(expected: "\"version\": 1", found: members["version"] ?? .null)
        }
        self.init(try [FlagOverride](encoded: members["overrides"] ?? .null))
    }

    /// An object with the members `format`, `version` and `overrides`.
    public var encoded: EncodedFlagValue {
        .object([
            "format": Self.format, "version": Self.version, "overrides": .array(overrides.map(\.encoded)),
        ])
    }
}
