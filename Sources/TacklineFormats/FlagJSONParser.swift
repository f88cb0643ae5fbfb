import TacklineCore

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
    var namesakes: [FlagKeyPath: EncodedFlagValue]?
    /// The member at the top each of whose own members stands alone: what one of them cannot hold spoils no other.
    var isolatedMember: String?
    /// What is wrong with the isolated member that is being read.
    private var mistake: FlagJSONError?
    let positions = FlagJSONPositions()

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
            do throws(FlagJSONError) {
                return try number()
            } catch {
                try setAside(error)
                return .null
            }
        case UInt8(ascii: "{") where depth >= maximumDepth, UInt8(ascii: "[") where depth >= maximumDepth:
            try setAside(tooDeep)
            try skipContainer()
            return .null
        case UInt8(ascii: "{"):
            open(isObject: true)
            guard index < bytes.count, bytes[index] == UInt8(ascii: "}") else {
                try key()
                return nil
            }
            index += 1
            close()
            return .object([:])
        case UInt8(ascii: "["):
            open(isObject: false)
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
            if mistake != nil || frame.isObject && isPart { value = try isolated(value) }
            skipBlanks()
            if depth == 0 {
                guard index == bytes.count else { throw unexpectedAfterDocument() }
                return value
            }
            if frame.isObject {
                if let first = frame.members.updateValue(value, forKey: frame.key), !keepNamesake(value, of: first) {
                    try refuseRepeatedKey()
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
            && (isolatedMember == nil || isPart)
    }

    /// Puts a value aside that took the place of another, whose key is only equivalent to its own, and puts that one
    /// back.
    ///
    /// - Returns: `false` if it is the same key, or if no flag can be meant: inside an array.
    private mutating func keepNamesake(_ value: EncodedFlagValue, of first: EncodedFlagValue) -> Bool {
        guard allowsNamesakes, frame.members[exact: frame.key] == nil else { return false }
        let path = FlagKeyPath(components: (outerFrames.dropFirst() + [frame]).map(\.key))
        frame.members[frame.key] = first
        return namesakes?.updateValue(value, forKey: path) == nil
    }

    private var tooDeep: FlagJSONError {
        failure(.tooDeep, "more than \(maximumDepth) arrays and objects in each other; flatten the document")
    }

    private mutating func open(isObject: Bool) {
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

// MARK: Parts that stand alone

extension FlagJSONParser {
    /// Whether the value that is being read is a part of the isolated member, or stands in one.
    private var isInPart: Bool {
        guard let isolatedMember, depth >= 2 else { return false }
        let root = outerFrames[1]
        return root.isObject && root.key == isolatedMember
    }

    /// Whether the value that is being read is a part of the isolated member.
    private var isPart: Bool { depth == 2 && isInPart }

    /// Goes on after a mistake that concerns only the part of the isolated member that is being read: one that leaves it
    /// clear where values end.
    ///
    /// - Throws: The mistake, if it concerns the document.
    mutating func setAside(_ error: FlagJSONError) throws(FlagJSONError) {
        guard isInPart else { throw error }
        if mistake == nil { mistake = error }
    }

    /// Whether a mistake will be told to nobody, since its part is spoiled already.
    func concernsSpoiledPart(_ code: FlagJSONError.Code) -> Bool {
        mistake != nil && [.invalidNumber, .numberOutOfRange, .tooDeep, .duplicateKey, .equivalentKey].contains(code)
    }

    /// The value that stands for a finished part: itself, or what was wrong with it as an untyped text, which no other JSON
    /// becomes.
    private mutating func isolated(_ value: EncodedFlagValue) throws(FlagJSONError) -> EncodedFlagValue {
        guard isPart else { return value }
        if frame.isObject, isTaken(frame.key) { try setAside(repeatedKey()) }
        guard let mistake else { return value }
        self.mistake = nil
        // Which of two parts with one key is meant cannot be known, so neither is.
        if frame.isObject, let index = frame.members.index(forKey: frame.key), isTaken(frame.key) {
            frame.members.remove(at: index)
        }
        return .unparsed(mistake.description)
    }

    /// Goes on after a key that occurs twice, where only what it stands in is spoiled by it.
    private mutating func refuseRepeatedKey() throws(FlagJSONError) {
        guard isPart else { return try setAside(repeatedKey()) }
        // A third part with an equivalent key, whose namesake has exactly this one.
        let path = FlagKeyPath(components: (outerFrames.dropFirst() + [frame]).map(\.key))
        let mistake = EncodedFlagValue.unparsed(repeatedKey().description)
        namesakes?[path] = mistake
    }

    /// Whether the innermost object has a member of exactly this key.
    private func isTaken(_ key: String) -> Bool { frame.members[exact: key] != nil }

    /// Skips a container that is too deep to be read, from its opening bracket to the closing one. What is in it is not
    /// checked.
    private mutating func skipContainer() throws(FlagJSONError) {
        var open = 0
        repeat {
            guard index < bytes.count else { throw unexpectedEnd() }
            switch bytes[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): open += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): open -= 1
            case UInt8(ascii: "\""):
                index += 1
                while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
                    index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
                }
            default: break
            }
            index += 1
        } while open > 0
    }
}
