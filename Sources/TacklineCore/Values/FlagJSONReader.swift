#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: `Data` is what files and servers give.

/// Reads JSON (RFC 8259) strictly into ``EncodedFlagValue``.
///
/// - `true`, `1` and `1.0` stay apart: a number with a fraction or an exponent is a `double`, any other an `integer`.
///   `-0` is the double -0.0, since no integer has its sign.
/// - An integer is exact or, beyond `Int128`, an error. A number whose nearest `Double` is infinite is an error; one
///   that is too small is zero.
/// - One key twice in an object is an error, and so are two keys that differ only in their Unicode normalisation, which
///   a Swift dictionary cannot hold both. A ``FlagDocument`` can, if it is read with ``FlagDocument/init(json:limits:)``.
/// - Comments, trailing commas, NaN, invalid UTF-8, half surrogate pairs, control characters in strings and anything
///   after the value are errors. One UTF-8 byte order mark is skipped; UTF-16 and UTF-32 are recognised and refused.
///
/// Nothing is ever guessed, and no input traps or exhausts the stack.
///
/// - Complexity: O(*n*) in the number of bytes.
public struct FlagJSONReader: Sendable {
    /// How much of a document is accepted.
    public struct Limits: Sendable, Hashable {
        /// How many arrays and objects may stand in each other; at most 512, which a larger number means too.
        public var maximumDepth = 32
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

        /// Makes the limits that suit a trusted file of one's own.
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
    package func readWithNamesakes(
        _ data: Data
    ) throws(FlagJSONError) -> (value: EncodedFlagValue, namesakes: [[ExactName]: EncodedFlagValue]) {
        try data.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: UInt8.self) { bytes in
                Result { () throws(FlagJSONError) in
                    var parser = FlagJSONParser(bytes: bytes, limits: limits)
                    parser.namesakes = [:]
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
