package import TacklineCore

/// A text or value that is no manifest.
///
/// Prints as `at "collections/0/flags/2/type/kind": …`.
public struct FlagManifestError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The members and elements that lead to the mistake, from the outermost inwards; empty for the whole.
    public var path: [String]
    /// The mistake and, after a semicolon, its remedy.
    public var message: String
    /// The error in the JSON text with its position; `nil` for a mistake that is not one of JSON.
    package var syntaxError: FlagJSONError?

    /// Place and message.
    public var description: String {
        if let syntaxError { return syntaxError.description }
        return path.isEmpty ? message : "at \(EncodedFlagValue.quoted(path.joined(separator: "/"))): \(message)"
    }
}
