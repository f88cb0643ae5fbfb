/// One pass over the bytes of a JSON document.
///
/// Open arrays and objects are kept on a stack of its own, never on the thread's.
struct FlagJSONParser {
    /// An array or object that is not closed yet.
    struct Frame {
        var isObject: Bool
        var elements: [EncodedFlagValue] = []
        var members: [String: EncodedFlagValue] = [:]
        /// The key that was read last, and where it begins; 0 as long as there is none.
        var key = ""
        var keyOffset = 0
    }

    /// Deeper values could exhaust a small stack when they are released, which recurses.
    static let greatestDepth = 512

    let bytes: UnsafeBufferPointer<UInt8>
    let limits: FlagJSONReader.Limits
    let maximumDepth: Int
    var index = 0
    var memberCount = 0
    /// The innermost open container; meaningless while `depth` is 0.
    var frame = Frame(isObject: false)
    /// The containers around `frame`, with one meaningless frame at the bottom.
    var outerFrames: [Frame] = []
    var depth: Int { outerFrames.count }
    /// Reused by strings with escapes.
    var scratch: [UInt8] = []
    /// The members whose key differs from an earlier one of their object only by Unicode normalisation, by the way to
    /// them; `nil` where such keys are mistakes.
    var namesakes: [[ExactName]: EncodedFlagValue]?

    init(bytes: UnsafeBufferPointer<UInt8>, limits: FlagJSONReader.Limits) {
        self.bytes = bytes
        self.limits = limits
        maximumDepth = min(limits.maximumDepth, Self.greatestDepth)
    }

    /// Reads the whole document.
    mutating func document(requiresObject: Bool) throws(FlagJSONError) -> EncodedFlagValue {
        try checkEncodingAndSize()
        skipBlanks()
        guard index < bytes.count else {
            throw failure(.empty, "the document is empty; write a JSON value")
        }
        if requiresObject, bytes[index] != UInt8(ascii: "{") {
            throw failure(.notAnObject, "the document is not an object; put its content between { and }")
        }
        while true {
            if let value = try scalarOrOpening(), let document = try attach(value) {
                return document
            }
        }
    }

    /// Reads a value that has no parts, or an empty container; or opens a container and returns `nil` where its first
    /// value has to follow.
    private mutating func scalarOrOpening() throws(FlagJSONError) -> EncodedFlagValue? {
        guard index < bytes.count else { throw unexpectedEnd() }
        switch bytes[index] {
        case UInt8(ascii: "\""):
            return .string(try string(limit: limits.maximumStringBytes, isKey: false))
        case UInt8(ascii: "-"), 0x30...0x39:
            return try number()
        case UInt8(ascii: "{"):
            try open(isObject: true)
            guard index < bytes.count, bytes[index] == UInt8(ascii: "}") else {
                try key()
                return nil
            }
            index += 1
            close()
            return .object([:])
        case UInt8(ascii: "["):
            try open(isObject: false)
            guard index < bytes.count, bytes[index] == UInt8(ascii: "]") else { return nil }
            index += 1
            close()
            return .array([])
        case UInt8(ascii: "t") where skip("true"):
            return .bool(true)
        case UInt8(ascii: "f") where skip("false"):
            return .bool(false)
        case UInt8(ascii: "n") where skip("null"):
            return .null
        default:
            throw unexpectedValue()
        }
    }

    /// Puts a finished value where it belongs, and closes the containers that end after it.
    ///
    /// - Returns: The document if it is complete, or `nil` where another value has to follow.
    private mutating func attach(_ value: EncodedFlagValue) throws(FlagJSONError) -> EncodedFlagValue? {
        var value = value
        while true {
            skipBlanks()
            if depth == 0 {
                guard index == bytes.count else { throw unexpectedAfterDocument() }
                return value
            }
            if frame.isObject {
                if let first = frame.members.updateValue(value, forKey: frame.key) {
                    guard keepNamesake(value, of: first) else { throw repeatedKey() }
                }
            } else {
                frame.elements.append(value)
            }
            guard index < bytes.count else { throw unexpectedEnd(inContainer: true) }
            let byte = bytes[index]
            if byte == UInt8(ascii: ",") {
                index += 1
                skipBlanks()
                if frame.isObject {
                    try key()
                } else if index < bytes.count, bytes[index] == UInt8(ascii: "]") {
                    throw trailingComma("bracket")
                }
                return nil
            }
            guard byte == (frame.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                throw unexpectedAfterValue()
            }
            index += 1
            value = frame.isObject ? .object(frame.members) : .array(frame.elements)
            close()
        }
    }

    /// Whether keys that are only equivalent are kept apart here.
    var allowsNamesakes: Bool {
        namesakes != nil && frame.isObject && outerFrames.dropFirst().allSatisfy(\.isObject)
    }

    /// Puts a value aside that took the place of another, whose key is only equivalent to its own, and puts that one back.
    ///
    /// - Returns: `false` if it is the same key, or if no flag can be meant: inside an array.
    private mutating func keepNamesake(_ value: EncodedFlagValue, of first: EncodedFlagValue) -> Bool {
        guard allowsNamesakes, frame.members[exact: frame.key] == nil else { return false }
        let path = (outerFrames.dropFirst() + [frame]).map { ExactName($0.key) }
        frame.members[frame.key] = first
        return namesakes?.updateValue(value, forKey: path) == nil
    }

    private mutating func open(isObject: Bool) throws(FlagJSONError) {
        guard depth < maximumDepth else {
            throw failure(.tooDeep, "more than \(maximumDepth) arrays and objects in each other; flatten the document")
        }
        outerFrames.append(frame)
        frame = Frame(isObject: isObject)
        index += 1
        skipBlanks()
    }

    private mutating func close() {
        frame = outerFrames.removeLast()
    }

    /// Reads a key and the colon after it, up to where the value begins.
    private mutating func key() throws(FlagJSONError) {
        guard index < bytes.count else { throw unexpectedEnd(inContainer: true) }
        guard bytes[index] == UInt8(ascii: "\"") else { throw unexpectedKey() }
        memberCount += 1
        guard memberCount <= limits.maximumMembers else {
            throw failure(.tooManyMembers, "more than \(limits.maximumMembers) members; split the document")
        }
        let start = index
        frame.keyOffset = 0  // so that a mistake in this key is not reported as inside the one before
        frame.key = try string(limit: limits.maximumKeyBytes, isKey: true)
        frame.keyOffset = start
        skipBlanks()
        guard index < bytes.count else { throw unexpectedEnd() }
        guard bytes[index] == UInt8(ascii: ":") else {
            throw failure(.unexpectedCharacter, "\(character(at: index)) stands after a key; write a colon there")
        }
        index += 1
        skipBlanks()
    }

    @inline(__always)
    private mutating func skipBlanks() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            default: return
            }
        }
    }

    private mutating func skip(_ word: StaticString) -> Bool {
        let length = word.utf8CodeUnitCount
        guard bytes.count - index >= length else { return false }
        for offset in 0..<length where bytes[index + offset] != word.utf8Start[offset] { return false }
        index += length
        return true
    }
}
