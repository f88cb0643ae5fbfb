#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import TacklineCore

// Foundation provides `Data`, the form in which files and servers give documents.

/// A strict reader of JSON (RFC 8259).
///
/// ```swift
/// let value = try FlagJSONReader().read(#"{"attempts": 3}"#)   // ["attempts": 3]
/// ```
///
/// The reader converts exactly or refuses:
///
/// - A number with a fraction or an exponent is a `double`; any other number is an `integer`. `-0` is the double -0.0,
///   because no integer has a negative zero.
/// - An integer outside the range of `Int128` is an error. So is a number whose nearest `Double` is infinite. A number
///   too small for `Double` is zero.
/// - A key that occurs twice in an object is an error. So are two keys that differ only in their Unicode normalization,
///   because a Swift dictionary can't hold both. To accept such keys, use `FlagDocument(json:limits:isolating:)`.
/// - Comments, trailing commas, NaN, invalid UTF-8, unpaired surrogates, control characters in strings and content
///   after the value are errors. A UTF-8 byte order mark is skipped. UTF-16 and UTF-32 are recognized and refused.
///
/// No input traps or exhausts the stack. Reading takes O(*n*) time in the number of bytes.
public struct FlagJSONReader: Sendable {
    /// The limits of an acceptable document.
    public struct Limits: Sendable, Hashable {
        /// The maximum nesting depth of arrays and objects. The default is 64; a value above 512 means 512.
        public var maximumDepth = EncodedFlagValue.maximumDepth
        /// The maximum number of members of all objects together. The default is one million.
        public var maximumMembers = 1_000_000
        /// The maximum length of a key in UTF-8 bytes. The default is 1,024.
        ///
        /// Comparing non-ASCII strings takes time proportional to the square of the length of a run of combining marks.
        /// Don't raise this limit for untrusted input.
        public var maximumKeyBytes = 1024
        /// The maximum length of a string in UTF-8 bytes. The default is 16 MiB.
        public var maximumStringBytes = 16 << 20
        /// The maximum size of the document in bytes. The default is 64 MiB.
        ///
        /// The resulting value can take about thirty times as much memory as the document.
        public var maximumBytes = 64 << 20

        /// Creates the default limits, which suit files that you control.
        public init() {}
    }

    /// The limits of an acceptable document.
    public var limits: Limits
    /// Whether the document must be an object. If `false`, it can be any value.
    public var requiresObject: Bool

    /// Creates a reader.
    public init(limits: Limits = Limits(), requiresObject: Bool = false) {
        self.limits = limits
        self.requiresObject = requiresObject
    }

    /// Reads a document from memory without copying it.
    ///
    /// - Parameter bytes: The text in UTF-8. The memory must stay valid and unchanged during the call.
    /// - Throws: ``FlagJSONError`` for the first error in the document.
    public func read(_ bytes: UnsafeRawBufferPointer) throws(FlagJSONError) -> EncodedFlagValue {
        try bytes.withMemoryRebound(to: UInt8.self) { bytes in
            parse(bytes)
        }.get()
    }

    /// Reads a document from an array of UTF-8 bytes without copying it.
    ///
    /// - Throws: ``FlagJSONError`` for the first error in the document.
    public func read(_ bytes: [UInt8]) throws(FlagJSONError) -> EncodedFlagValue {
        try bytes.withUnsafeBufferPointer { parse($0) }.get()
    }

    /// Reads a document from UTF-8 data without copying it.
    ///
    /// - Throws: ``FlagJSONError`` for the first error in the document.
    public func read(_ data: Data) throws(FlagJSONError) -> EncodedFlagValue {
        try data.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: UInt8.self) { parse($0) }
        }.get()
    }

    /// Reads a document from a string.
    ///
    /// - Throws: ``FlagJSONError`` for the first error in the document.
    public func read(_ text: String) throws(FlagJSONError) -> EncodedFlagValue {
        var text = text
        return try text.withUTF8 { parse($0) }.get()
    }

    /// Reads a document whose objects can have canonically equivalent keys.
    fileprivate func readWithNamesakes(
        _ data: Data, isolating member: String? = nil, isolatesValues: Bool = false
    ) throws(FlagJSONError) -> FlagJSONParser.Content {
        try data.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: UInt8.self) { bytes in
                Result { () throws(FlagJSONError) in
                    var parser = FlagJSONParser(bytes: bytes, limits: limits)
                    parser.namesakes = [:]
                    parser.isolatedMember = member
                    parser.isolatesValues = isolatesValues
                    let value = try parser.readDocument(requiresObject: true)
                    return (value, parser.namesakes ?? [:], parser.mistakes)
                }
            }
        }.get()
    }

    // Returns a result, because `Data.withUnsafeBytes` and `String.withUTF8` don't support typed throws.
    private func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Result<EncodedFlagValue, FlagJSONError> {
        Result { () throws(FlagJSONError) in
            var parser = FlagJSONParser(bytes: bytes, limits: limits)
            return try parser.readDocument(requiresObject: requiresObject)
        }
    }
}

extension FlagDocument {
    /// Reads a document from JSON by the rules of ``FlagJSONReader``, but compares keys by their bytes.
    ///
    /// Two keys that differ only in their Unicode normalization are two flags. Inside an array they are an error.
    ///
    /// ## Isolated parts
    ///
    /// Pass the name of a top-level member to read each of its members or elements independently. An error in such a
    /// part then invalidates only this part, and the document holds ``/TacklineCore/EncodedFlagValue/unparsed(_:)``
    /// with the error's description in its place. An element that is an object with a `key` keeps this member, and has
    /// the description as the member `""`. JSON never produces this case otherwise. Such errors are a repeated or
    /// equivalent key, a number out of range, an unpaired surrogate and excessive depth. An error of the syntax always
    /// invalidates the document.
    ///
    /// With an isolated member, equivalent keys are accepted only among the keys of that member. Elsewhere they are an
    /// error.
    ///
    /// - Parameters:
    ///   - data: The text in UTF-8.
    ///   - limits: The limits of an acceptable document.
    ///   - member: The top-level member whose members or elements are read independently, or `nil` for none.
    /// - Throws: ``FlagJSONError`` for the first error outside of isolated parts, and if the document isn't an object.
    public init(
        json data: Data, limits: FlagJSONReader.Limits = FlagJSONReader.Limits(), isolating member: String? = nil
    ) throws(FlagJSONError) {
        let reader = FlagJSONReader(limits: limits, requiresObject: true)
        self.init(try reader.readWithNamesakes(data, isolating: member))
    }

    /// Reads a document of plain values, in which an error in one value invalidates this value alone.
    ///
    /// The value is left out, and so are the values of flags that contain it. Its siblings stay: with
    /// `{"limits": {"a": 1, "b": 1e400}}` there is a value for `limits/a`, and none for `limits` or `limits/b`. A key
    /// that occurs twice at the top level, an error of the syntax, and too many errors invalidate the document, and so
    /// does an error that leaves no value.
    ///
    /// - Parameters:
    ///   - data: The text in UTF-8.
    ///   - limits: The limits of an acceptable document.
    ///   - mistakes: Receives the keys of the values that were left out, with the errors, in the order of the text.
    /// - Throws: ``FlagJSONError`` for an error that invalidates the document. `mistakes` may have got entries by then.
    public init(
        json data: Data, limits: FlagJSONReader.Limits, mistakes: inout [(key: FlagKeyPath, error: FlagJSONError)]
    ) throws(FlagJSONError) {
        let reader = FlagJSONReader(limits: limits, requiresObject: true)
        let content = try reader.readWithNamesakes(data, isolatesValues: true)
        self.init(content)
        for (path, error) in content.mistakes {
            removeInvalidValue(at: path)
            mistakes.append((FlagKeyPath(components: path), error))
        }
        if let first = mistakes.first?.error, !hasValues(.object(root)), namesakes.isEmpty { throw first }
    }

    /// Whether anything in an object is a value, apart from members that speak about the document.
    private func hasValues(_ value: EncodedFlagValue) -> Bool {
        guard case .object(let members) = value else { return value != .null }
        return members.contains { !$0.key.hasPrefix("$") && hasValues($0.value) }
    }

    private init(_ content: FlagJSONParser.Content) {
        // `requiresObject` ensures that the value is an object.
        if case .object(let members) = content.value { self.init(members) } else { self.init() }
        namesakes = content.namesakes
    }
}

/// An error in a JSON document.
///
/// An example of a description is
/// `line 3, column 7 at "flags/a": a comma stands before the closing brace; remove the comma`.
public struct FlagJSONError: Error, Sendable, Hashable {
    /// The kind of an error.
    ///
    /// The cases are stable: adding a case is a breaking change of the API.
    public enum Code: String, Sendable, Hashable {
        case empty, tooLarge, notUTF8, unexpectedEnd, unexpectedCharacter, trailingComma, comment, trailingContent
        case invalidNumber, numberOutOfRange, invalidEscape, loneSurrogate, controlCharacter
        case duplicateKey, equivalentKey
        case tooDeep, tooManyMembers, keyTooLong, stringTooLong, notAnObject
    }

    /// The kind of the error.
    public var code: Code
    /// The line of the error, counted from 1. A line ends with a line feed, a carriage return, or a carriage return and
    /// a line feed.
    public var line: Int
    /// The column of the error in Unicode scalars, counted from 1. A byte order mark isn't counted.
    public var column: Int
    /// The offset of the error in bytes, counted from 0. A byte order mark is counted.
    public var byteOffset: Int
    /// The keys and indices that lead to the error, from the outermost container inwards: `["flags", "a", "0"]`.
    public var path: [String]
    /// A description of the problem and, after a semicolon, of its fix.
    public var message: String
}

extension FlagJSONError: CustomStringConvertible {
    /// The line, column, path and message of the error. Long paths are shortened.
    public var description: String {
        let place = path.isEmpty ? "" : " at \(EncodedFlagValue.quoted(path.joined(separator: "/")))"
        return "line \(line), column \(column)\(place): \(message)"
    }
}
