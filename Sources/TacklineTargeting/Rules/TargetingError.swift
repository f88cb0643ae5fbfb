public import TacklineCore

/// A rule that cannot be used, or an evaluation that was stopped.
public struct TargetingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public var code: FlagResolutionErrorCode
    /// The place in the rule, as a JSON Pointer (RFC 6901); empty for the rule as a whole.
    public var path: String
    /// A description of the mistake and of its remedy.
    public var message: String

    /// Makes an error.
    public init(code: FlagResolutionErrorCode, path: String = "", message: String) {
        self.code = code
        self.path = path
        self.message = message
    }

    /// The code, path and message in one line.
    public var description: String {
        path.isEmpty ? "\(code): \(message)" : "\(code) at \(path): \(message)"
    }
}
