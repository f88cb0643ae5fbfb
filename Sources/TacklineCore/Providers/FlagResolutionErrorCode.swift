/// The kind of a failed resolution, in the words of OpenFeature.
///
/// An open set: providers may use codes of their own.
public struct FlagResolutionErrorCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code as OpenFeature writes it, in capitals.
    public var rawValue: String

    /// Makes a code.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// No flag has this key.
    public static let flagNotFound = FlagResolutionErrorCode(rawValue: "FLAG_NOT_FOUND")
    /// The definition of the flag is wrong.
    public static let parseError = FlagResolutionErrorCode(rawValue: "PARSE_ERROR")
    /// The value is of another type than the flag.
    public static let typeMismatch = FlagResolutionErrorCode(rawValue: "TYPE_MISMATCH")
    /// Anything else: a rule names no variant, or a limit was reached.
    public static let general = FlagResolutionErrorCode(rawValue: "GENERAL")

    /// The code itself.
    public var description: String { rawValue }
}
