#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: `Data` is what files give. Its own readers of property lists are not used, since the one for XML
// exhausts the stack on a deeply nested document.

/// Reads a property list, XML or binary, into ``EncodedFlagValue``.
///
/// Booleans, integers and reals stay apart. What a property list cannot hold is a string with a marker, which
/// ``FlagPropertyListWriter`` describes and which is turned back here.
///
/// Anything corrupt is an error; nothing traps, and neither a deep nor a self-containing list exhausts the stack or the
/// memory.
public struct FlagPropertyListReader: Sendable {
    /// How much of a property list is accepted.
    public struct Limits: Sendable, Hashable {
        /// How many arrays and dictionaries may stand in each other; at most 512, which a larger number means too.
        public var maximumDepth = 32
        /// How many values there may be. Of a binary list, one that is referred to several times counts each time.
        public var maximumValues = 1_000_000
        /// How long a key may be, in bytes of UTF-8.
        public var maximumKeyBytes = 1024
        /// How long the list may be, in bytes.
        public var maximumBytes = 64 << 20

        /// Makes the limits that suit a trusted file of one's own.
        public init() {}
    }

    /// How much of a property list is accepted.
    public var limits: Limits

    /// Makes a reader.
    public init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Reads a list in either format, which its first bytes tell.
    ///
    /// - Throws: ``FlagPropertyListError`` for the first mistake.
    /// - Complexity: O(*n*) in the number of bytes and values.
    public func read(_ data: Data) throws(FlagPropertyListError) -> EncodedFlagValue {
        try read([UInt8](data))
    }

    /// Reads a list in either format, which its first bytes tell.
    ///
    /// - Throws: ``FlagPropertyListError`` for the first mistake.
    /// - Complexity: O(*n*) in the number of bytes and values.
    public func read(_ bytes: [UInt8]) throws(FlagPropertyListError) -> EncodedFlagValue {
        guard bytes.count <= limits.maximumBytes else {
            let message = "\(bytes.count) bytes, where \(limits.maximumBytes) are allowed; split the list"
            throw FlagPropertyListError(byteOffset: 0, path: [], message: message)
        }
        if bytes.starts(with: FlagBinaryPropertyListParser.magic) {
            var parser = FlagBinaryPropertyListParser(bytes: bytes, limits: limits)
            return try parser.document()
        }
        var parser = FlagXMLPropertyListParser(bytes: bytes, limits: limits)
        return try parser.document()
    }
}
