public import TacklineCore

/// Overrides that travel together: in a bug report, or as the set-up of a test.
///
/// ```json
/// {
///   "format": "tackline-overrides",
///   "overrides": [ { "expires": "2026-12-01T00:00:00Z", "key": "secrets/boom_feature", "value": true } ],
///   "version": 1
/// }
/// ```
public struct FlagOverrideBundle: Sendable, Hashable {
    /// The overrides, each flag once, by key.
    public let overrides: [FlagOverride]

    /// Makes a bundle. Of two overrides of one key, the later one counts.
    public init(_ overrides: [FlagOverride]) {
        var latest: [FlagOverride.Name: FlagOverride] = [:]
        for override in overrides { latest[FlagOverride.Name(override.key)] = override }
        self.overrides = latest.values.sorted { $0.key.text < $1.key.text }
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
            throw FlagValueError(expected: "an object with \"format\": \"tackline-overrides\"", found: encoded)
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
