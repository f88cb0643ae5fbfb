import TacklineCore
public import TacklineFormats

/// A text or value that is no manifest.
///
/// Prints as `at "collections/0/flags/2/type/kind": …`.
public struct FlagManifestError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The members and elements that lead to the mistake, from the outermost inwards; empty for the whole.
    public var path: [String]
    /// What is wrong, and after a semicolon what to do about it.
    public var message: String
    /// Where in the text; `nil` for a mistake that is not one of JSON.
    public var syntaxError: FlagJSONError?

    /// Place and message.
    public var description: String {
        if let syntaxError { return syntaxError.description }
        return path.isEmpty ? message : "at \(EncodedFlagValue.quoted(path.joined(separator: "/"))): \(message)"
    }
}
