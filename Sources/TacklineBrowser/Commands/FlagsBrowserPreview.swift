public import TacklineCore

/// The effect that a command would have.
public struct FlagsBrowserPreview: Sendable, Hashable, Codable {
    /// A description for people, such as `The flag stays true: the value from "remote" still wins, because …`.
    public var message: String
    /// The id of the provider that would be written to, or `nil` if the command writes to none.
    public var destination: String?
    /// The ids of the flags that would be written.
    public var flags: [String]
    /// For a command about one flag, the value that it would write, as the flag's type encodes it; `nil` if it removes
    /// a value.
    public var stored: FlagsBrowserValue?
    /// For a command about one flag, the value that the flag would then have; otherwise `nil`.
    public var effective: FlagsBrowserValue?
    /// For a command about one flag, the source of that value; otherwise `nil`.
    public var source: FlagSource?
    /// For a command about one flag, whether the flag's value would change. For others, whether anything would be
    /// written.
    public var changesAnything: Bool
    /// The changes in the provider, flag by flag. Only imports and resets of several flags list them, and at most the
    /// first ``differenceLimit``.
    public var differences: [FlagsBrowserDifference]

    /// For a `set` that would overwrite another value, a sentence about that value; otherwise `nil`.
    public var replaces: String?
    /// For a `set` whose ``FlagsBrowserRequest/expected`` value is not there any more, a sentence about the change;
    /// otherwise `nil`. `perform(_:)` would refuse the request.
    public var conflict: String?

    /// The largest number of differences that are listed: 500.
    public static let differenceLimit = 500

    /// Creates a preview.
    public init(
        message: String, destination: String? = nil, flags: [String] = [], stored: FlagsBrowserValue? = nil,
        effective: FlagsBrowserValue? = nil, source: FlagSource? = nil, changesAnything: Bool,
        differences: [FlagsBrowserDifference] = []
    ) {
        self.message = message
        self.destination = destination
        self.flags = flags
        self.stored = stored
        self.effective = effective
        self.source = source
        self.changesAnything = changesAnything
        self.differences = Array(differences.prefix(Self.differenceLimit))
    }
}

extension FlagsBrowserPreview: FlagValue {}
