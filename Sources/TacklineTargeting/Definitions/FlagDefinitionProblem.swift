/// Something wrong in a document of flag definitions.
public struct FlagDefinitionProblem: Hashable, Sendable, CustomStringConvertible {
    /// What a problem means for the flag.
    public enum Severity: String, Hashable, Sendable {
        /// The flag answers with an error, and the next provider is asked; or the document cannot be used at all.
        case error
        /// flagd's schema refuses it, but it has a defined meaning, and the flag works.
        case warning
    }

    /// The flag concerned; `nil` for the document as a whole.
    public var flagKey: String?
    /// Where in the document, as a JSON Pointer (RFC 6901): `/flags/reservations/targeting/if/0`.
    public var path: String
    /// What is wrong, and what to do about it.
    public var message: String
    /// What it means.
    public var severity: Severity

    /// Makes a problem.
    public init(flagKey: String? = nil, path: String, message: String, severity: Severity) {
        self.flagKey = flagKey
        self.path = path
        self.message = message
        self.severity = severity
    }

    /// Severity, place and message in one line.
    public var description: String { "\(severity.rawValue) at \(path.isEmpty ? "/" : path): \(message)" }
}
