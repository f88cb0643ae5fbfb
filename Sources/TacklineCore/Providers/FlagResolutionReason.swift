/// Why a provider gave what it gave, in the words of OpenFeature.
///
/// An open set: providers may use reasons of their own.
public struct FlagResolutionReason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The reason as OpenFeature writes it, in capitals.
    public var rawValue: String

    /// Makes a reason.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Everybody gets the value: no rule was asked.
    public static let `static` = FlagResolutionReason(rawValue: "STATIC")
    /// The rule had nothing to say, or there is no default variant.
    public static let `default` = FlagResolutionReason(rawValue: "DEFAULT")
    /// A rule chose the value for this context.
    public static let targetingMatch = FlagResolutionReason(rawValue: "TARGETING_MATCH")
    /// A random but stable assignment decided.
    public static let split = FlagResolutionReason(rawValue: "SPLIT")
    /// The flag is switched off where it is managed.
    public static let disabled = FlagResolutionReason(rawValue: "DISABLED")
    /// The value was kept from an earlier answer.
    public static let cached = FlagResolutionReason(rawValue: "CACHED")
    /// The value is older than it should be.
    public static let stale = FlagResolutionReason(rawValue: "STALE")
    /// The provider cannot say.
    public static let unknown = FlagResolutionReason(rawValue: "UNKNOWN")
    /// The flag could not be resolved.
    public static let error = FlagResolutionReason(rawValue: "ERROR")

    /// The reason itself.
    public var description: String { rawValue }
}
