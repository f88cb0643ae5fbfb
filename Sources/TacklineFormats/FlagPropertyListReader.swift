#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import TacklineCore

// Foundation: `Data` is what files give.

/// Reads a property list, XML or binary, into ``/TacklineCore/EncodedFlagValue``.
///
/// Booleans, integers and reals stay apart. What a property list cannot hold is a string with a marker, which
/// ``FlagPropertyListWriter`` describes and which is turned back here.
///
/// Anything corrupt is an error; nothing traps, and neither a deep nor a self-containing list exhausts the stack or the
/// memory.
public struct FlagPropertyListReader: Sendable {
    /// How much of a property list is accepted.
    public struct Limits: Sendable, Hashable {
        /// How many levels deep arrays and dictionaries may be nested; at most 512, which a larger number means too.
        public var maximumDepth = EncodedFlagValue.maximumDepth
        /// How many values there may be. Of a binary list, one that is referred to several times counts each time.
        public var maximumValues = 1_000_000
        /// How long a key may be, in bytes of UTF-8.
        public var maximumKeyBytes = 1024
        /// How long the list may be, in bytes.
        public var maximumBytes = 64 << 20

        /// Makes the limits that suit a file of one's own.
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

/// Bytes that are not a property list, or one with a part that has no place in ``/TacklineCore/EncodedFlagValue``.
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

/// Puts the values of a property list together, on a stack of its own.
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
    /// The finished list.
    private(set) var document: EncodedFlagValue?
    /// Where the parser is, for errors.
    var offset = 0

    init(limits: FlagPropertyListReader.Limits) {
        self.limits = limits
        maximumDepth = min(limits.maximumDepth, FlagJSONParser.greatestDepth)
    }

    func failure(_ message: String) -> FlagPropertyListError {
        let path = frames.compactMap { $0.isObject ? $0.key : String($0.elements.count) }
        return FlagPropertyListError(byteOffset: offset, path: path, message: message)
    }

    /// Whether a dictionary is open that has no key for its next value.
    var needsKey: Bool { frames.last.map { $0.isObject && $0.key == nil } ?? false }
    var isInObject: Bool { frames.last?.isObject ?? false }
    var depth: Int { frames.count }

    mutating func open(isObject: Bool) throws(FlagPropertyListError) {
        guard frames.count < maximumDepth else {
            throw failure("more than \(maximumDepth) arrays and dictionaries in each other; flatten the list")
        }
        try checkPlace()
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
            throw failure("a key of \(text.utf8.count) bytes, where \(limits.maximumKeyBytes) are allowed; shorten it")
        }
        let key = FlagPropertyListMarker.key(from: text)
        if let index = frames[frames.count - 1].members.index(forKey: key) {
            let first = frames[frames.count - 1].members[index].key
            let isSame = first.utf8.elementsEqual(key.utf8)
            let shown = EncodedFlagValue.quoted(key)
            throw failure(
                isSame
                    ? "the key \(shown) occurs twice; remove one of the two"
                    : "keys that differ from \(shown) only by Unicode normalisation; remove or rename one of the two"
            )
        }
        frames[frames.count - 1].key = key
    }

    mutating func add(_ value: EncodedFlagValue) throws(FlagPropertyListError) {
        try checkPlace()
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

    private func checkPlace() throws(FlagPropertyListError) {
        if document != nil { throw failure("a second value after the first; remove it") }
        if needsKey { throw failure("a value without a key in a dictionary; give it one") }
    }
}
