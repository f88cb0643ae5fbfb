import TacklineCore

// Everything here runs once, when a mistake was found.
extension FlagJSONParser {
    /// Refuses what is too large or not UTF-8 by its first bytes, and skips a byte order mark.
    mutating func checkEncodingAndSize() throws(FlagJSONError) {
        guard bytes.count <= limits.maximumBytes else {
            let message = "\(bytes.count) bytes, where \(limits.maximumBytes) are allowed; split the document"
            throw failure(.tooLarge, message)
        }
        let start = bytes.prefix(4)
        if start.starts(with: [0xEF, 0xBB, 0xBF]) {
            index = 3
        } else if start.starts(with: [0xFE, 0xFF]) || start.starts(with: [0xFF, 0xFE])
            || start.starts(with: [0, 0, 0xFE, 0xFF]) || start.prefix(2).contains(0)
        {
            throw failure(.notUTF8, "the document is in UTF-16 or UTF-32; save it as UTF-8")
        }
    }

    /// An error at a place, or where the parser is.
    ///
    /// - Parameter inContainer: Whether the mistake concerns the innermost container and not one of its values.
    @inline(never)
    func failure(
        _ code: FlagJSONError.Code,
        at offset: Int? = nil,
        inContainer: Bool = false,
        _ message: String
    ) -> FlagJSONError {
        let offset = offset ?? index
        let (line, column) = position(of: offset)
        return FlagJSONError(
            code: code,
            line: line,
            column: column,
            byteOffset: offset,
            path: path(inContainer: inContainer),
            message: message
        )
    }

    private func path(inContainer: Bool) -> [String] {
        guard depth > 0 else { return [] }
        var frames = Array(outerFrames.dropFirst())
        if !inContainer { frames.append(frame) }
        // An object whose first key is not read yet has nothing to add.
        return frames.compactMap { frame in
            if !frame.isObject { return String(frame.elements.count) }
            return frame.keyOffset == 0 ? nil : frame.key
        }
    }

    private func position(of offset: Int) -> (line: Int, column: Int) {
        var line = 1
        var column = 1
        let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        var position = hasMark ? 3 : 0
        while position < offset {
            let byte = bytes[position]
            position += 1
            switch byte {
            case 0x0D where position < bytes.count && bytes[position] == 0x0A: column += 1
            case 0x0A, 0x0D:
                line += 1
                column = 1
            case 0x80..<0xC0: break
            default: column += 1
            }
        }
        return (line, column)
    }

    /// What stands at a place, as it reads in a sentence.
    func character(at offset: Int) -> String {
        guard offset < bytes.count else { return "the end" }
        let tail = UnsafeBufferPointer(rebasing: bytes[offset..<min(offset + 4, bytes.count)])
        var decoder = UTF8()
        var iterator = tail.makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&iterator) else {
            return "the byte 0x\(String(bytes[offset], radix: 16, uppercase: true))"
        }
        return EncodedFlagValue.quoted(String(scalar))
    }

    func unexpectedEnd(inContainer: Bool = false) -> FlagJSONError {
        failure(.unexpectedEnd, at: bytes.count, inContainer: inContainer, "the document ends too early; complete it")
    }

    func trailingComma(_ closing: String) -> FlagJSONError {
        failure(
            .trailingComma,
            inContainer: true,
            "a comma stands before the closing \(closing); remove the comma"
        )
    }

    func unexpectedKey() -> FlagJSONError {
        if bytes[index] == UInt8(ascii: "}") { return trailingComma("brace") }
        if bytes[index] == UInt8(ascii: "/") { return comment(inContainer: true) }
        let message = "\(character(at: index)) where a key is expected; put keys in double quotes"
        return failure(.unexpectedCharacter, inContainer: true, message)
    }

    func unexpectedValue() -> FlagJSONError {
        switch bytes[index] {
        case UInt8(ascii: "/"), UInt8(ascii: "#"):
            return comment()
        case UInt8(ascii: "'"):
            return failure(.unexpectedCharacter, "a single quote; put strings in double quotes")
        case UInt8(ascii: "N"), UInt8(ascii: "I"):
            let message = "JSON has no NaN and no Infinity; write a number, null or a string"
            return failure(.unexpectedCharacter, message)
        case UInt8(ascii: "+"), UInt8(ascii: "."):
            return failure(.invalidNumber, "a number begins with a digit or a minus sign; write 0.5, not .5 or +0.5")
        case UInt8(ascii: "T"), UInt8(ascii: "F"), UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            return failure(.unexpectedCharacter, "an unknown word; write true, false or null, or put it in quotes")
        case UInt8(ascii: "]") where depth > 0 && !frame.isObject && !frame.elements.isEmpty:
            return trailingComma("bracket")
        default:
            return failure(.unexpectedCharacter, "\(character(at: index)) where a value is expected; write a value")
        }
    }

    func unexpectedAfterValue() -> FlagJSONError {
        if bytes[index] == UInt8(ascii: "/") { return comment(inContainer: true) }
        let closing = frame.isObject ? "}" : "]"
        return failure(
            .unexpectedCharacter,
            inContainer: true,
            "\(character(at: index)) after a value; write a comma or \(closing) there"
        )
    }

    func unexpectedAfterDocument() -> FlagJSONError {
        if bytes[index] == UInt8(ascii: "/") { return comment() }
        return failure(.trailingContent, "\(character(at: index)) after the end of the value; remove what follows it")
    }

    private func comment(inContainer: Bool = false) -> FlagJSONError {
        failure(.comment, inContainer: inContainer, "JSON has no comments; remove it")
    }

    func repeatedKey() -> FlagJSONError {
        // The dictionary took the first of them as its key and keeps it when a value is replaced.
        let first = frame.members.index(forKey: frame.key).map { frame.members[$0].key }
        let isSame = allowsNamesakes || first?.hasSameBytes(as: frame.key) ?? true
        return failure(
            isSame ? .duplicateKey : .equivalentKey,
            at: frame.keyOffset,
            isSame
                ? "the key occurs twice; remove one of the two"
                : "keys that differ only by Unicode normalisation; remove or rename one of the two"
        )
    }
}
