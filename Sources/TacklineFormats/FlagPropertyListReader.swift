#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import TacklineCore

// Foundation provides `Data`, the form in which files give documents.

/// A reader of XML and binary property lists.
///
/// Booleans, integers and reals stay distinct. Marker strings, which ``FlagPropertyListWriter`` documents, are
/// converted back to the values that they represent.
///
/// A corrupt list is an error. No input traps, and neither deep nesting nor a list that contains itself exhausts the
/// stack or the memory.
public struct FlagPropertyListReader: Sendable {
    /// The limits of an acceptable property list.
    public struct Limits: Sendable, Hashable {
        /// The maximum nesting depth of arrays and dictionaries. The default is 64; a value above 512 means 512.
        public var maximumDepth = EncodedFlagValue.maximumDepth
        /// The maximum number of values. The default is one million.
        ///
        /// If a binary list refers to a value repeatedly, each reference counts.
        public var maximumValues = 1_000_000
        /// The maximum length of a key in UTF-8 bytes. The default is 1,024.
        public var maximumKeyBytes = 1024
        /// The maximum size of the list in bytes. The default is 64 MiB.
        public var maximumBytes = 64 << 20

        /// Creates the default limits, which suit files that you control.
        public init() {}
    }

    /// The limits of an acceptable property list.
    public var limits: Limits

    /// Creates a reader.
    public init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Reads a property list from data. The first bytes determine the format.
    ///
    /// - Throws: ``FlagPropertyListError`` for the first error in the list.
    /// - Complexity: O(*n*) in the number of bytes and values.
    public func read(_ data: Data) throws(FlagPropertyListError) -> EncodedFlagValue {
        try read([UInt8](data))
    }

    /// Reads a property list from an array of bytes. The first bytes determine the format.
    ///
    /// - Throws: ``FlagPropertyListError`` for the first error in the list.
    /// - Complexity: O(*n*) in the number of bytes and values.
    public func read(_ bytes: [UInt8]) throws(FlagPropertyListError) -> EncodedFlagValue {
        guard bytes.count <= limits.maximumBytes else {
            let message = "the list is larger than maximumBytes allows; split it or raise that limit"
            throw FlagPropertyListError(byteOffset: 0, path: [], message: message)
        }
        if bytes.starts(with: FlagBinaryPropertyListParser.magic) {
            var parser = FlagBinaryPropertyListParser(bytes: bytes, limits: limits)
            return try parser.parse()
        }
        var parser = FlagXMLPropertyListParser(bytes: bytes, limits: limits)
        return try parser.parse()
    }
}

/// An error in a property list.
///
/// The bytes aren't a valid property list, or the list contains a value that ``/TacklineCore/EncodedFlagValue`` can't
/// represent. An example of a description is
/// `byte 120 at "flags/a": "1.5" is not an integer, or out of range; correct it`.
public struct FlagPropertyListError: Error, Sendable, Hashable {
    /// The offset in bytes, counted from 0, at which the error was detected.
    public var byteOffset: Int
    /// The keys and indices that lead to the error, from the outermost container inwards.
    public var path: [String]
    /// A description of the problem and, after a semicolon, of its fix.
    public var message: String
}

extension FlagPropertyListError: CustomStringConvertible {
    /// The offset, path and message of the error. Long paths are shortened.
    public var description: String {
        let place = path.isEmpty ? "" : " at \(EncodedFlagValue.quoted(path.joined(separator: "/")))"
        return "byte \(byteOffset)\(place): \(message)"
    }
}

/// A builder that assembles the values of a property list without recursion.
struct FlagPropertyListBuilder {
    private struct Frame {
        let isObject: Bool
        var elements: [EncodedFlagValue] = []
        var members: [String: EncodedFlagValue] = [:]
        var key: String?
    }

    private let limits: FlagPropertyListReader.Limits
    private let maximumDepth: Int
    private var frames: [Frame] = []
    private var valueCount = 0
    /// The outermost value, or `nil` until it is complete.
    private(set) var document: EncodedFlagValue?
    /// The parser's current offset, for errors.
    var offset = 0

    init(limits: FlagPropertyListReader.Limits) {
        self.limits = limits
        maximumDepth = min(limits.maximumDepth, 512)
    }

    func failure(_ message: String) -> FlagPropertyListError {
        let path = frames.compactMap { $0.isObject ? $0.key : String($0.elements.count) }
        return FlagPropertyListError(byteOffset: offset, path: path, message: message)
    }

    /// Whether the innermost container is a dictionary that has no key for its next value.
    var needsKey: Bool { frames.last.map { $0.isObject && $0.key == nil } ?? false }
    var isInObject: Bool { frames.last?.isObject ?? false }
    var depth: Int { frames.count }

    mutating func open(isObject: Bool) throws(FlagPropertyListError) {
        guard frames.count < maximumDepth else {
            throw failure("more than \(maximumDepth) arrays and dictionaries inside each other; flatten the list")
        }
        try checkValueIsAllowed()
        frames.append(Frame(isObject: isObject))
    }

    mutating func close() throws(FlagPropertyListError) {
        guard let frame = frames.last else { throw failure("an end without a beginning; repair the list") }
        guard frame.key == nil else { throw failure("a key without a value; give it one") }
        frames.removeLast()
        try add(frame.isObject ? .object(frame.members) : .array(frame.elements))
    }

    mutating func setKey(_ text: String) throws(FlagPropertyListError) {
        guard needsKey else { throw failure("a key where none belongs; put it into a dictionary") }
        guard text.utf8.count <= limits.maximumKeyBytes else {
            throw failure("a key is longer than maximumKeyBytes allows; shorten it")
        }
        let key = FlagPropertyListMarker.key(from: text)
        if let index = frames[frames.count - 1].members.index(forKey: key) {
            let first = frames[frames.count - 1].members[index].key
            let isSame = first.utf8.elementsEqual(key.utf8)
            let shown = EncodedFlagValue.quoted(key)
            throw failure(
                isSame
                    ? "the key \(shown) occurs twice; remove one of the two"
                    : "keys that differ from \(shown) only by Unicode normalization; remove or rename one of the two"
            )
        }
        frames[frames.count - 1].key = key
    }

    mutating func add(_ value: EncodedFlagValue) throws(FlagPropertyListError) {
        try checkValueIsAllowed()
        valueCount += 1
        guard valueCount <= limits.maximumValues else {
            throw failure("more than \(limits.maximumValues) values; split the list")
        }
        guard !frames.isEmpty else {
            document = value
            return
        }
        let last = frames.count - 1
        if let key = frames[last].key {
            frames[last].members[key] = value
            frames[last].key = nil
        } else {
            frames[last].elements.append(value)
        }
    }

    private func checkValueIsAllowed() throws(FlagPropertyListError) {
        if document != nil { throw failure("a second value after the first; remove it") }
        if needsKey { throw failure("a value without a key in a dictionary; give it one") }
    }
}
