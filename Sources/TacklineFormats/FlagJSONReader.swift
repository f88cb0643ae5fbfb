#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import TacklineCore

// Foundation: `Data` is what files and servers give.

/// Reads JSON (RFC 8259) strictly into ``/TacklineCore/EncodedFlagValue``.
///
/// - `true`, `1` and `1.0` stay apart: a number with a fraction or an exponent is a `double`, any other an `integer`.
///   `-0` is the double -0.0, since no integer has its sign.
/// - An integer is exact or, beyond `Int128`, an error. A number whose nearest `Double` is infinite is an error; one
///   that is too small is zero.
/// - One key twice in an object is an error, and so are two keys that differ only in their Unicode normalisation, which
///   a Swift dictionary cannot hold both. A ``/TacklineCore/FlagDocument`` can, if it is read with
///   `FlagDocument(json:limits:)`.
/// - Comments, trailing commas, NaN, invalid UTF-8, half surrogate pairs, control characters in strings and anything
///   after the value are errors. One UTF-8 byte order mark is skipped; UTF-16 and UTF-32 are recognised and refused.
///
/// Nothing is ever guessed, and no input traps or exhausts the stack.
///
/// - Complexity: O(*n*) in the number of bytes.
public struct FlagJSONReader: Sendable {
    /// How much of a document is accepted.
    public struct Limits: Sendable, Hashable {
        /// How many levels deep arrays and objects may be nested; at most 512, which a larger number means too.
        public var maximumDepth = EncodedFlagValue.maximumDepth
        /// How many members all objects of the document may have together.
        public var maximumMembers = 1_000_000
        /// How long a key may be, in bytes of UTF-8.
        ///
        /// Comparing strings that are not ASCII takes time that grows with the square of a run of combining marks, so
        /// be careful with a larger limit for untrusted input.
        public var maximumKeyBytes = 1024
        /// How long a string may be, in bytes of UTF-8.
        public var maximumStringBytes = 16 << 20
        /// How long the document may be, in bytes. The value takes up to about thirty times as much memory.
        public var maximumBytes = 64 << 20

        /// Makes the limits that suit a file of one's own.
        public init() {}
    }

    /// How much of a document is accepted.
    public var limits: Limits
    /// Whether the document has to be an object; otherwise it can be any value.
    public var requiresObject: Bool

    /// Makes a reader.
    public init(limits: Limits = Limits(), requiresObject: Bool = false) {
        self.limits = limits
        self.requiresObject = requiresObject
    }

    /// Reads a document from memory that stays valid and unchanged during the call; nothing is copied.
    ///
    /// - Throws: ``FlagJSONError`` for the first mistake.
    public func read(_ bytes: UnsafeRawBufferPointer) throws(FlagJSONError) -> EncodedFlagValue {
        try bytes.withMemoryRebound(to: UInt8.self) { bytes in
            parse(bytes)
        }.get()
    }

    /// Reads a document; nothing is copied.
    ///
    /// - Throws: ``FlagJSONError`` for the first mistake.
    public func read(_ bytes: [UInt8]) throws(FlagJSONError) -> EncodedFlagValue {
        try bytes.withUnsafeBufferPointer { parse($0) }.get()
    }

    /// Reads a document; nothing is copied.
    ///
    /// - Throws: ``FlagJSONError`` for the first mistake.
    public func read(_ data: Data) throws(FlagJSONError) -> EncodedFlagValue {
        try data.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: UInt8.self) { parse($0) }
        }.get()
    }

    /// Reads a document.
    ///
    /// - Throws: ``FlagJSONError`` for the first mistake.
    public func read(_ text: String) throws(FlagJSONError) -> EncodedFlagValue {
        var text = text
        return try text.withUTF8 { parse($0) }.get()
    }

    /// Reads a document that is an object, and keeps apart what the object cannot hold.
    fileprivate func readWithNamesakes(
        _ data: Data, isolating member: String?
    ) throws(FlagJSONError) -> (value: EncodedFlagValue, namesakes: [FlagKeyPath: EncodedFlagValue]) {
        try data.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: UInt8.self) { bytes in
                Result { () throws(FlagJSONError) in
                    var parser = FlagJSONParser(bytes: bytes, limits: limits)
                    parser.namesakes = [:]
                    parser.isolatedMember = member
                    let value = try parser.document(requiresObject: true)
                    return (value, parser.namesakes ?? [:])
                }
            }
        }.get()
    }

    /// A result, because not all of the closures above can throw a given type.
    private func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Result<EncodedFlagValue, FlagJSONError> {
        Result { () throws(FlagJSONError) in
            var parser = FlagJSONParser(bytes: bytes, limits: limits)
            return try parser.document(requiresObject: requiresObject)
        }
    }
}

extension FlagDocument {
    /// Reads a document from JSON as ``FlagJSONReader`` does, but with keys compared by their bytes: two that differ
    /// only by Unicode normalisation are two flags. Inside arrays, where no flag is, they are a mistake.
    ///
    /// - Parameters:
    ///   - data: The text in UTF-8.
    ///   - limits: What is accepted.
    ///   - member: The member at the top whose own members, or elements, stand alone. What one of them cannot hold (one key
    ///     twice, an integer beyond `Int128`, half a surrogate pair, more depth than the limit) spoils that one only: in its
    ///     place is ``/TacklineCore/EncodedFlagValue/unparsed(_:)`` with the mistake and its place, which nothing else in
    ///     JSON becomes. In its members two equivalent keys are a mistake as well.
    /// - Throws: ``FlagJSONError`` for the first mistake in anything else; also if the top is not an object.
    public init(
        json data: Data, limits: FlagJSONReader.Limits = FlagJSONReader.Limits(), isolating member: String? = nil
    ) throws(FlagJSONError) {
        let reader = FlagJSONReader(limits: limits, requiresObject: true)
        let (value, namesakes) = try reader.readWithNamesakes(data, isolating: member)
        // The reader has made sure that it is an object.
        if case .object(let members) = value { self.init(members) } else { self.init() }
        self.namesakes = namesakes
    }
}

/// A text that is not the JSON that was asked for.
///
/// Prints as `line 3, column 7 at "flags/a": a comma stands before the closing brace; remove the comma`.
public struct FlagJSONError: Error, Sendable, Hashable {
    /// What sort of mistake it is. Stable from release to release; a new one is a breaking change of the API.
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
