/// A text that is not the JSON that was asked for.
///
/// Prints as `line 3, column 7 at "flags/a": a comma stands before the closing brace; remove the comma`.
public struct FlagJSONError: Error, Sendable, Hashable {
    /// What sort of mistake it is. Stable from release to release; new ones may be added.
    public enum Code: String, Sendable, Hashable {
        case empty, tooLarge, notUTF8, unexpectedEnd, unexpectedCharacter, trailingComma, comment, trailingContent
        case invalidNumber, numberOutOfRange, invalidEscape, loneSurrogate, controlCharacter
        case duplicateKey, equivalentKey
        case tooDeep, tooManyMembers, keyTooLong, stringTooLong, notAnObject
    }

    /// What sort of mistake it is.
    public var code: Code
    /// The line, counted from 1. A line ends with a line feed, a carriage return, or both in that order.
    public var line: Int
    /// The column in Unicode scalars, counted from 1; a byte order mark is not counted.
    public var column: Int
    /// The position in bytes, counted from 0, a byte order mark included.
    public var byteOffset: Int
    /// The members and elements around the mistake, from the outermost inwards: `["flags", "a", "0"]`.
    public var path: [String]
    /// What is wrong, and after a semicolon what to do about it.
    public var message: String
}

extension FlagJSONError: CustomStringConvertible {
    /// Place and message, of bounded length.
    public var description: String {
        let place = path.isEmpty ? "" : " at \(EncodedFlagValue.quoted(path.joined(separator: "/")))"
        return "line \(line), column \(column)\(place): \(message)"
    }
}
