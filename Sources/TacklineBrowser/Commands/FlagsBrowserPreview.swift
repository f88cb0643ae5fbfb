public import TacklineCore

/// What a command would do.
public struct FlagsBrowserPreview: Sendable, Hashable, Codable {
    /// What would happen, for people: `The flag stays true: the value from "remote" still wins, because …`.
    public var message: String
    /// The id of the provider that would be written to; `nil` if the command writes to none.
    public var destination: String?
    /// The ids of the flags that would be written.
    public var flags: [String]
    /// Of a command for one flag, what it would write, as the flag's type writes it; `nil` if it removes a value.
    public var stored: FlagsBrowserValue?
    /// Of a command for one flag, the value that the flag would then have; else `nil`.
    public var effective: FlagsBrowserValue?
    /// Of a command for one flag, where that value would come from; else `nil`.
    public var source: FlagSource?
    /// Of a command for one flag, whether the flag's value would be another one than now. Of others, whether anything
    /// would be written.
    public var changesAnything: Bool
    /// What would become different in the provider, flag by flag: of an import and of resets, the first
    /// ``differenceLimit``.
    public var differences: [FlagsBrowserDifference]

    /// How many differences are listed: 500.
    public static let differenceLimit = 500

    /// Makes a preview.
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
