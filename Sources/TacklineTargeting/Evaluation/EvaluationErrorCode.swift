/// The kind of a failed evaluation, in the words of OpenFeature.
///
/// An open set: other evaluators may use codes of their own.
public struct EvaluationErrorCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code as OpenFeature writes it, in capitals.
    public var rawValue: String

    /// Makes a code.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// No flag has this key.
    public static let flagNotFound = EvaluationErrorCode(rawValue: "FLAG_NOT_FOUND")
    /// The definition of the flag is wrong.
    public static let parseError = EvaluationErrorCode(rawValue: "PARSE_ERROR")
    /// The variant's value has another JSON type than the flag.
    public static let typeMismatch = EvaluationErrorCode(rawValue: "TYPE_MISMATCH")
    /// Anything else: the rule names no variant, or a limit was reached.
    public static let general = EvaluationErrorCode(rawValue: "GENERAL")

    /// The code itself.
    public var description: String { rawValue }
}
