import TacklineCore

extension FlagJSONParser {
    /// Checks the size and the encoding of the document, and skips a byte order mark.
    ///
    /// UTF-16 and UTF-32 are recognized by the first bytes.
    mutating func checkEncodingAndSize() throws(FlagJSONError) {
        guard bytes.count <= limits.maximumBytes else {
            throw failure(.tooLarge, "the document is larger than maximumBytes allows; split it or raise that limit")
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

    /// Returns an error with its line, column and path.
    ///
    /// - Parameters:
    ///   - code: The kind of error.
    ///   - offset: The offset of the error, or `nil` for the current one.
    ///   - inContainer: Whether the error concerns the innermost container, and not one of its values.
    ///   - message: The problem and, after a semicolon, its fix.
    @inline(never)
    func failure(
        _ code: FlagJSONError.Code,
        at offset: Int? = nil,
        inContainer: Bool = false,
        _ message: String
    ) -> FlagJSONError {
        let offset = offset ?? index
        let (line, column) = positions.position(of: offset, in: bytes)
        return FlagJSONError(
            code: code,
            line: line,
            column: column,
            byteOffset: offset,
            path: discardsError(with: code) ? [] : path(inContainer: inContainer),
            message: message
        )
    }

    private func path(inContainer: Bool) -> [String] {
        guard depth > 0 else { return [] }
        var frames = Array(enclosingFrames.dropFirst())
        if !inContainer { frames.append(frame) }
        // An object whose first key hasn't been read yet adds no component.
        return frames.compactMap { frame in
            if !frame.isObject { return String(frame.elements.count) }
            return frame.keyOffset == 0 ? nil : frame.key
        }
    }

    /// Returns the character at an offset as error messages name it.
    func characterDescription(at offset: Int) -> String {
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

    func trailingComma(before closing: String) -> FlagJSONError {
        failure(
            .trailingComma,
            inContainer: true,
            "a comma stands before the closing \(closing); remove the comma"
        )
    }

    func unexpectedKey() -> FlagJSONError {
        if bytes[index] == UInt8(ascii: "}") { return trailingComma(before: "brace") }
        if bytes[index] == UInt8(ascii: "/") { return unexpectedComment(inContainer: true) }
        let message = "\(characterDescription(at: index)) where a key is expected; put keys in double quotes"
        return failure(.unexpectedCharacter, inContainer: true, message)
    }

    func unexpectedValue() -> FlagJSONError {
        switch bytes[index] {
        case UInt8(ascii: "/"), UInt8(ascii: "#"):
            return unexpectedComment()
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
            return trailingComma(before: "bracket")
        default:
            return failure(
                .unexpectedCharacter, "\(characterDescription(at: index)) where a value is expected; write a value")
        }
    }

    func unexpectedAfterValue() -> FlagJSONError {
        if bytes[index] == UInt8(ascii: "/") { return unexpectedComment(inContainer: true) }
        let closing = frame.isObject ? "}" : "]"
        return failure(
            .unexpectedCharacter,
            inContainer: true,
            "\(characterDescription(at: index)) after a value; write a comma or \(closing) there"
        )
    }

    func unexpectedAfterDocument() -> FlagJSONError {
        if bytes[index] == UInt8(ascii: "/") { return unexpectedComment() }
        return failure(
            .trailingContent, "\(characterDescription(at: index)) after the end of the value; remove what follows it")
    }

    private func unexpectedComment(inContainer: Bool = false) -> FlagJSONError {
        failure(.comment, inContainer: inContainer, "JSON has no comments; remove it")
    }

    func repeatedKey() -> FlagJSONError {
        // A dictionary keeps its key when the value of an equivalent key replaces the old value.
        let first = frame.members.index(forKey: frame.key).map { frame.members[$0].key }
        let isSame = acceptsEquivalentKeys || first?.hasSameBytes(as: frame.key) ?? true
        return failure(
            isSame ? .duplicateKey : .equivalentKey,
            at: frame.keyOffset,
            isSame
                ? "the key occurs twice; remove one of the two"
                : "keys that differ only by Unicode normalization; remove or rename one of the two"
        )
    }
}

/// A cache that converts byte offsets to lines and columns.
///
/// A document can have errors in many isolated parts. The cache scans the document once for all of them.
final class FlagJSONPositionCache {
    private typealias Position = (line: Int, column: Int)

    private static let stride = 256
    /// The positions at multiples of `stride`, computed as needed.
    private var marks: [Position] = [(1, 1)]

    func position(of offset: Int, in bytes: UnsafeBufferPointer<UInt8>) -> (line: Int, column: Int) {
        while marks.count <= offset / Self.stride {
            let end = marks.count * Self.stride
            marks.append(Self.advance(marks[marks.count - 1], through: end - Self.stride..<end, of: bytes))
        }
        let mark = offset / Self.stride
        return Self.advance(marks[mark], through: mark * Self.stride..<offset, of: bytes)
    }

    private static func advance(
        _ start: Position, through range: Range<Int>, of bytes: UnsafeBufferPointer<UInt8>
    ) -> Position {
        var (line, column) = start
        for position in range {
            switch bytes[position] {
            case 0x0D where position + 1 < bytes.count && bytes[position + 1] == 0x0A: column += 1
            case 0x0A, 0x0D:
                line += 1
                column = 1
            case 0x80..<0xC0: break
            // A byte order mark takes no column.
            case 0xEF where position == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]): break
            default: column += 1
            }
        }
        return (line, column)
    }
}
