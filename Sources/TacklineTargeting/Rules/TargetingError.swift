public import TacklineCore

/// A rule that cannot be used, or an evaluation that was given up.
public struct TargetingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which kind of error it is.
    public var code: FlagResolutionErrorCode
    /// Where in the rule, as a JSON Pointer (RFC 6901); empty for the rule as a whole.
    public var path: String
    /// What is wrong, and what to do about it.
    public var message: String

    /// Makes an error.
    public init(code: FlagResolutionErrorCode, path: String = "", message: String) {
        self.code = code
        self.path = path
        self.message = message
    }

    /// Code, path and message in one line.
    public var description: String {
        path.isEmpty ? "\(code): \(message)" : "\(code) at \(path): \(message)"
    }
}
