/// Bytes that are not a property list, or one with a part that has no place in ``EncodedFlagValue``.
///
/// Prints as `byte 120 at "flags/a": "1.5" is not an integer; correct it`.
public struct FlagPropertyListError: Error, Sendable, Hashable {
    /// Where the mistake was noticed, in bytes from 0.
    public var byteOffset: Int
    /// The members and elements around the mistake, from the outermost inwards.
    public var path: [String]
    /// What is wrong, and after a semicolon what to do about it.
    public var message: String
}

extension FlagPropertyListError: CustomStringConvertible {
    /// Place and message, of bounded length.
    public var description: String {
        let place = path.isEmpty ? "" : " at \(EncodedFlagValue.quoted(path.joined(separator: "/")))"
        return "byte \(byteOffset)\(place): \(message)"
    }
}
