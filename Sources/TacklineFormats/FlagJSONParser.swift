import TacklineCore

/// A single-pass parser of JSON documents.
///
/// The parser doesn't recurse: open arrays and objects are kept in an array of frames.
///
/// With an ``isolatedMember``, the members or elements of that member are *isolated parts*. An error that leaves the
/// end of the part recognizable invalidates only this part: the document holds the error's message in its place.
/// With ``isolatesValues``, the isolated parts are the members of all objects that are in no array, and invalid ones
/// are listed in ``mistakes``.
struct FlagJSONParser {
    /// An open array or object.
    struct Frame {
        var isObject: Bool
        var elements: [EncodedFlagValue] = []
        var members: [String: EncodedFlagValue] = [:]
        /// The key that was read last.
        var key = ""
        /// The offset of `key`, or 0 if no key has been read.
        var keyOffset = 0
    }

    /// The content of a document.
    typealias Content = (
        value: EncodedFlagValue, namesakes: [FlagKeyPath: EncodedFlagValue],
        mistakes: [(path: [String], error: FlagJSONError)]
    )

    /// The upper bound of any depth limit.
    ///
    /// Releasing a value recurses, so deeper values could exhaust a small stack.
    static let maximumSupportedDepth = 512

    let bytes: UnsafeBufferPointer<UInt8>
    let limits: FlagJSONReader.Limits
    let maximumDepth: Int
    var index = 0
    var memberCount = 0
    /// The innermost open container, or a placeholder if `depth` is 0.
    var frame = Frame(isObject: false)
    /// The containers around `frame`. The first one is a placeholder.
    var enclosingFrames: [Frame] = []
    var depth: Int { enclosingFrames.count }
    /// The content of the current string, if it has escapes. The buffer is reused.
    var scratch: [UInt8] = []
    /// The members whose key differs from an earlier key of their object only in its Unicode normalization, or `nil` if
    /// such keys are errors.
    var namesakes: [FlagKeyPath: EncodedFlagValue]?
    /// The top-level member whose members or elements are isolated parts.
    var isolatedMember: String?
    /// Whether each member of an object that is in no array is an isolated part.
    var isolatesValues = false
    /// The invalid parts, with the keys that lead to each. The document holds anything in their place.
    private(set) var mistakes: [(path: [String], error: FlagJSONError)] = []
    /// The maximum number of ``mistakes``.
    private static let maximumMistakes = 100
    /// The first error in the current isolated part.
    private var partError: FlagJSONError?
    let positions = FlagJSONPositionCache()
    /// The recorder of positions. With one, values are not kept, and the errors that can invalidate an isolated
    /// part are ignored.
    var recorder: FlagJSONOutlineRecorder?

    init(bytes: UnsafeBufferPointer<UInt8>, limits: FlagJSONReader.Limits) {
        self.bytes = bytes
        self.limits = limits
        maximumDepth = min(limits.maximumDepth, Self.maximumSupportedDepth)
    }

    mutating func readDocument(requiresObject: Bool) throws(FlagJSONError) -> EncodedFlagValue {
        try checkEncodingAndSize()
        skipWhitespace()
        guard index < bytes.count else {
            throw failure(.empty, "the document is empty; write a JSON value")
        }
        if requiresObject, bytes[index] != UInt8(ascii: "{") {
            throw failure(.notAnObject, "the document is not an object; put its content between { and }")
        }
        while true {
            if let value = try readScalarOrOpenContainer(), let document = try attach(value) {
                return document
            }
        }
    }

    /// Returns the next value if it is a scalar or an empty container. Otherwise opens a container and returns `nil`.
    private mutating func readScalarOrOpenContainer() throws(FlagJSONError) -> EncodedFlagValue? {
        guard index < bytes.count else { throw unexpectedEnd() }
        recorder?.begin(at: index, isObject: bytes[index] == UInt8(ascii: "{"))
        switch bytes[index] {
        case UInt8(ascii: "\""):
            return .string(try readString(limit: limits.maximumStringBytes, isKey: false))
        case UInt8(ascii: "-"), 0x30...0x39:
            do throws(FlagJSONError) {
                return try readNumber()
            } catch {
                try recordPartError(error)
                return .null
            }
        case UInt8(ascii: "{") where depth >= maximumDepth, UInt8(ascii: "[") where depth >= maximumDepth:
            try recordPartError(depthError)
            try skipContainer()
            return .null
        case UInt8(ascii: "{"):
            openContainer(isObject: true)
            guard index < bytes.count, bytes[index] == UInt8(ascii: "}") else {
                try readKey()
                return nil
            }
            index += 1
            closeContainer()
            return .object([:])
        case UInt8(ascii: "["):
            openContainer(isObject: false)
            guard index < bytes.count, bytes[index] == UInt8(ascii: "]") else { return nil }
            index += 1
            closeContainer()
            return .array([])
        case UInt8(ascii: "t") where consume("true"):
            return .bool(true)
        case UInt8(ascii: "f") where consume("false"):
            return .bool(false)
        case UInt8(ascii: "n") where consume("null"):
            return .null
        default:
            throw unexpectedValue()
        }
    }

    /// Adds a complete value to its container and closes the containers that end after it.
    ///
    /// - Returns: The document if it is complete, or `nil` if another value must follow.
    private mutating func attach(_ value: EncodedFlagValue) throws(FlagJSONError) -> EncodedFlagValue? {
        var value = value
        while true {
            recorder?.end(at: index)
            if partError != nil || isolatedMember != nil && frame.isObject && isIsolatedPart {
                value = try finishIsolatedPart(value)
            }
            skipWhitespace()
            if depth == 0 {
                guard index == bytes.count else { throw unexpectedAfterDocument() }
                return value
            }
            if recorder != nil {
                // The value is not kept.
            } else if frame.isObject {
                if let first = frame.members.updateValue(value, forKey: frame.key),
                    !moveToNamesakes(value, restoring: first)
                {
                    try recordRepeatedKey()
                }
            } else {
                frame.elements.append(value)
            }
            guard index < bytes.count else { throw unexpectedEnd(inContainer: true) }
            let byte = bytes[index]
            if byte == UInt8(ascii: ",") {
                index += 1
                skipWhitespace()
                if frame.isObject {
                    try readKey()
                } else if index < bytes.count, bytes[index] == UInt8(ascii: "]") {
                    throw trailingComma(before: "bracket")
                }
                return nil
            }
            guard byte == (frame.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                throw unexpectedAfterValue()
            }
            index += 1
            value = frame.isObject ? .object(frame.members) : .array(frame.elements)
            closeContainer()
        }
    }

    /// Whether the current object may have keys that are canonically equivalent but differ in their bytes.
    var acceptsEquivalentKeys: Bool {
        namesakes != nil && frame.isObject && enclosingFrames.dropFirst().allSatisfy(\.isObject)
            && (isolatedMember == nil || isIsolatedPart)
    }

    /// Moves a value that replaced the value of an equivalent key from the current object to `namesakes`, and restores
    /// the replaced value.
    ///
    /// - Returns: `false` if the keys are identical, or if the current object can't have equivalent keys.
    private mutating func moveToNamesakes(_ value: EncodedFlagValue, restoring first: EncodedFlagValue) -> Bool {
        guard acceptsEquivalentKeys, frame.members[exact: frame.key] == nil else { return false }
        let path = FlagKeyPath(components: (enclosingFrames.dropFirst() + [frame]).map(\.key))
        frame.members[frame.key] = first
        return namesakes?.updateValue(value, forKey: path) == nil
    }

    private var depthError: FlagJSONError {
        failure(.tooDeep, "more than \(maximumDepth) arrays and objects inside each other; flatten the document")
    }

    private mutating func openContainer(isObject: Bool) {
        enclosingFrames.append(frame)
        frame = Frame(isObject: isObject)
        index += 1
        skipWhitespace()
    }

    private mutating func closeContainer() {
        frame = enclosingFrames.removeLast()
    }

    /// Reads a key, the colon after it and the whitespace before the value.
    private mutating func readKey() throws(FlagJSONError) {
        guard index < bytes.count else { throw unexpectedEnd(inContainer: true) }
        guard bytes[index] == UInt8(ascii: "\"") else { throw unexpectedKey() }
        memberCount += 1
        guard memberCount <= limits.maximumMembers else {
            throw failure(.tooManyMembers, "more than \(limits.maximumMembers) members; split the document")
        }
        let start = index
        // An error inside this key must not be reported at the path of the previous key.
        frame.keyOffset = 0
        frame.key = try readString(limit: limits.maximumKeyBytes, isKey: true)
        frame.keyOffset = start
        recorder?.key(frame.key, at: start..<index)
        skipWhitespace()
        guard index < bytes.count else { throw unexpectedEnd() }
        guard bytes[index] == UInt8(ascii: ":") else {
            throw failure(
                .unexpectedCharacter, "\(characterDescription(at: index)) stands after a key; write a colon there")
        }
        index += 1
        skipWhitespace()
    }

    @inline(__always)
    private mutating func skipWhitespace() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            default: return
            }
        }
    }

    private mutating func consume(_ word: StaticString) -> Bool {
        let length = word.utf8CodeUnitCount
        guard bytes.count - index >= length else { return false }
        for offset in 0..<length where bytes[index + offset] != word.utf8Start[offset] { return false }
        index += length
        return true
    }
}

// MARK: Isolated parts

extension FlagJSONParser {
    /// Whether the current value is an isolated part or inside one.
    private var isInsideIsolatedPart: Bool {
        if isolatesValues { return depth > 0 }
        guard let isolatedMember, depth >= 2 else { return false }
        let root = enclosingFrames[1]
        return root.isObject && root.key == isolatedMember
    }

    private var isIsolatedPart: Bool {
        if isolatesValues { return frame.isObject && enclosingFrames.dropFirst().allSatisfy(\.isObject) }
        return depth == 2 && isInsideIsolatedPart
    }

    /// Lists the current member as invalid.
    private mutating func addMistake(_ error: FlagJSONError) throws(FlagJSONError) {
        guard mistakes.count < Self.maximumMistakes else { throw error }
        mistakes.append(((enclosingFrames.dropFirst() + [frame]).map(\.key), error))
    }

    /// Records an error of the current isolated part, so that parsing can continue.
    ///
    /// Use it only for errors after which the end of the value can still be recognized.
    ///
    /// - Throws: `error`, if the current value isn't inside an isolated part.
    mutating func recordPartError(_ error: FlagJSONError) throws(FlagJSONError) {
        if recorder != nil { return }
        guard isInsideIsolatedPart else { throw error }
        if partError == nil { partError = error }
    }

    /// Returns whether an error with this code is discarded, because the current part already has an error or because
    /// only positions are recorded.
    ///
    /// The path of a discarded error isn't needed, and building it is expensive.
    func discardsError(with code: FlagJSONError.Code) -> Bool {
        (partError != nil || recorder != nil)
            && [.invalidNumber, .numberOutOfRange, .tooDeep, .duplicateKey, .equivalentKey].contains(code)
    }

    /// Returns the value to store for a complete value: the message of its error if it is an invalid isolated part,
    /// otherwise the value itself.
    ///
    /// A message is stored as untyped text, because valid JSON never produces untyped text.
    private mutating func finishIsolatedPart(_ value: EncodedFlagValue) throws(FlagJSONError) -> EncodedFlagValue {
        guard isIsolatedPart else { return value }
        if isolatesValues {
            guard let partError else { return value }
            self.partError = nil
            try addMistake(partError)
            return value
        }
        if frame.isObject, hasMember(exact: frame.key) { try recordPartError(repeatedKey()) }
        guard let partError else { return value }
        self.partError = nil
        // Two parts with the same key are ambiguous, so the earlier one is removed too.
        if frame.isObject, let index = frame.members.index(forKey: frame.key), hasMember(exact: frame.key) {
            frame.members.remove(at: index)
        }
        // An element is known by its `key`, unless that is what is wrong.
        if !frame.isObject, case .object(let members) = value, case .string(let key)? = members["key"],
            partError.path.count != 3 || partError.path.last != "key"
        {
            return EncodedFlagValue(mistake: partError.description, key: key)
        }
        return .unparsed(partError.description)
    }

    /// Records that the current key occurs repeatedly in the current object.
    ///
    /// - Throws: The error, if it doesn't concern only an isolated part.
    private mutating func recordRepeatedKey() throws(FlagJSONError) {
        guard isIsolatedPart else { return try recordPartError(repeatedKey()) }
        if isolatesValues {
            // At the top level it isn't known which of the two values is meant, and both may be a flag's.
            guard depth > 1 else { throw repeatedKey() }
            return try addMistake(repeatedKey())
        }
        // The key equals that of a part in `namesakes`, which the error replaces.
        let path = FlagKeyPath(components: (enclosingFrames.dropFirst() + [frame]).map(\.key))
        let message = EncodedFlagValue.unparsed(repeatedKey().description)
        namesakes?[path] = message
    }

    private func hasMember(exact key: String) -> Bool { frame.members[exact: key] != nil }

    /// Skips a container that is nested too deeply, from its opening bracket to the closing one.
    ///
    /// The content isn't checked.
    private mutating func skipContainer() throws(FlagJSONError) {
        var open = 0
        repeat {
            guard index < bytes.count else { throw partError ?? unexpectedEnd() }
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

extension EncodedFlagValue {
    /// The name of the member that holds the message. No flag has a member of this name.
    private static let mistakeMember = ""

    /// Creates the value that stands for an element of an isolated array that can't be read.
    init(mistake: String, key: String) {
        self = .object(["key": .string(key), Self.mistakeMember: .unparsed(mistake)])
    }

    /// The error's description if the value stands for an isolated part that can't be read.
    package var readingMistake: String? {
        switch self {
        case .unparsed(let mistake): return mistake
        case .object(let members):
            guard case .unparsed(let mistake)? = members[Self.mistakeMember] else { return nil }
            return mistake
        default: return nil
        }
    }
}
