/// A single-pass parser of JSON documents.
///
/// The parser doesn't recurse: open arrays and objects are kept in an array of frames.
struct FlagJSONParser {
    /// An open array or object.
    private struct Frame {
        var isObject: Bool
        var elements: [EncodedFlagValue] = []
        var members: [String: EncodedFlagValue] = [:]
        /// The key that was read last, or `nil` while the next one is read.
        var key: String?
        /// The offset of `key`.
        var keyOffset = 0
    }

    /// The upper bound of any depth limit.
    ///
    /// Comparing, writing and releasing a value recurse, so deeper values could exhaust a small stack.
    static let maximumSupportedDepth = 160
    /// The maximum length of a key in UTF-8 bytes.
    ///
    /// Comparing strings takes time proportional to the square of the length of a run of combining marks.
    private static let maximumKeyBytes = 1024

    private let bytes: UnsafeBufferPointer<UInt8>
    private let limits: FlagJSONReader.Limits
    private let maximumDepth: Int
    private var index = 0
    /// The innermost open container, or a placeholder if `depth` is 0.
    private var frame = Frame(isObject: false)
    /// The containers around `frame`. The first one is a placeholder.
    private var enclosingFrames: [Frame] = []
    /// The content of the current string, if it has escapes. The buffer is reused.
    private var scratch: [UInt8] = []

    init(bytes: UnsafeBufferPointer<UInt8>, limits: FlagJSONReader.Limits) {
        self.bytes = bytes
        self.limits = limits
        maximumDepth = min(limits.maximumDepth, Self.maximumSupportedDepth)
    }

    private var depth: Int { enclosingFrames.count }

    /// The byte at `index`, or 0 at the end. No token begins with the byte 0.
    @inline(__always) private var next: UInt8 { index < bytes.count ? bytes[index] : 0 }

    mutating func readDocument(requiresObject: Bool) throws(FlagJSONError) -> EncodedFlagValue {
        guard bytes.count <= limits.maximumBytes else {
            throw failure(.tooLarge, "the document is larger than maximumBytes allows; split it or raise that limit")
        }
        let start = bytes.prefix(4)
        if start.starts(with: [0xEF, 0xBB, 0xBF]) {
            index = 3
        } else if start.starts(with: [0xFE, 0xFF]) || start.starts(with: [0xFF, 0xFE]) || start.prefix(2).contains(0) {
            throw failure(.notUTF8, "the document is in UTF-16 or UTF-32; save it as UTF-8")
        }
        skipWhitespace()
        guard index < bytes.count else { throw failure(.empty, "the document is empty; write a JSON value") }
        if requiresObject, next != UInt8(ascii: "{") {
            throw failure(.notAnObject, "the document is not an object; put its content between { and }")
        }
        while true {
            if let value = try readScalarOrOpenContainer(), let document = try attach(value) { return document }
        }
    }

    // MARK: Arrays and objects

    /// Returns the next value if it is a scalar or an empty container. Otherwise opens a container and returns `nil`.
    private mutating func readScalarOrOpenContainer() throws(FlagJSONError) -> EncodedFlagValue? {
        switch next {
        case UInt8(ascii: "\""): return .string(try readString())
        case UInt8(ascii: "-"), 0x30...0x39: return try readNumber()
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard depth < maximumDepth else {
                throw failure(
                    .tooDeep, "more than \(maximumDepth) arrays and objects inside each other; flatten the document")
            }
            enclosingFrames.append(frame)
            frame = Frame(isObject: next == UInt8(ascii: "{"))
            index += 1
            skipWhitespace()
            if consume(frame.isObject ? "}" : "]") { return closeContainer() }
            if frame.isObject { try readKey() }
            return nil
        case UInt8(ascii: "t") where consume("true"): return .bool(true)
        case UInt8(ascii: "f") where consume("false"): return .bool(false)
        case UInt8(ascii: "n") where consume("null"): return .null
        default: throw unexpectedValue()
        }
    }

    /// Adds a complete value to its container and closes the containers that end after it.
    ///
    /// - Returns: The document if it is complete, or `nil` if another value must follow.
    private mutating func attach(_ value: EncodedFlagValue) throws(FlagJSONError) -> EncodedFlagValue? {
        var value = value
        while true {
            skipWhitespace()
            if depth == 0 {
                guard index == bytes.count else {
                    throw unexpected("after the end of the value; remove what follows it")
                }
                return value
            }
            if let key = frame.key {
                guard frame.members.updateValue(value, forKey: key) == nil else {
                    throw failure(
                        .duplicateKey, at: frame.keyOffset, "the key occurs twice; remove one of the two")
                }
                frame.key = nil
            } else {
                frame.elements.append(value)
            }
            if consume(",") {
                skipWhitespace()
                if frame.isObject {
                    try readKey()
                } else if next == UInt8(ascii: "]") {
                    throw trailingComma(before: "bracket")
                }
                return nil
            }
            guard consume(frame.isObject ? "}" : "]") else {
                let closing = frame.isObject ? "}" : "]"
                throw unexpected("after a value; write a comma or \(closing) there", inContainer: true)
            }
            value = closeContainer()
        }
    }

    private mutating func closeContainer() -> EncodedFlagValue {
        let value = frame.isObject ? EncodedFlagValue.object(frame.members) : .array(frame.elements)
        frame = enclosingFrames.removeLast()
        return value
    }

    /// Reads a key, the colon after it and the whitespace before the value.
    private mutating func readKey() throws(FlagJSONError) {
        if next == UInt8(ascii: "}") { throw trailingComma(before: "brace") }
        guard next == UInt8(ascii: "\"") else {
            throw unexpected("where a key is expected; put keys in double quotes", inContainer: true)
        }
        let start = index
        let key = try readString()
        (frame.key, frame.keyOffset) = (key, start)
        guard key.utf8.count <= Self.maximumKeyBytes else {
            throw failure(.keyTooLong, at: start, "the key is longer than 1,024 bytes; shorten it")
        }
        skipWhitespace()
        guard consume(":") else { throw unexpected("stands after a key; write a colon there") }
        skipWhitespace()
    }

    @inline(__always) private mutating func skipWhitespace() {
        while index < bytes.count, bytes[index] <= 0x20 {
            switch bytes[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            default: return
            }
        }
    }

    @inline(__always) private mutating func consume(_ word: StaticString) -> Bool {
        let length = word.utf8CodeUnitCount
        guard bytes.count - index >= length else { return false }
        for offset in 0..<length where bytes[index + offset] != word.utf8Start[offset] { return false }
        index += length
        return true
    }

    // MARK: Numbers

    private mutating func readNumber() throws(FlagJSONError) -> EncodedFlagValue {
        let start = index
        _ = consume("-")
        let digits = index
        guard skipDigits() else {
            throw failure(.invalidNumber, "a minus sign without digits; write a number such as -1")
        }
        if bytes[digits] == UInt8(ascii: "0"), index > digits + 1 {
            index = digits + 1
            throw failure(.invalidNumber, "a number begins with 0 and goes on with a digit; remove the zero")
        }
        let end = index
        if consume("."), !skipDigits() {
            throw failure(.invalidNumber, "no digit after the decimal point; write one, such as 1.0")
        }
        if consume("e") || consume("E") {
            if !consume("+") { _ = consume("-") }
            guard skipDigits() else {
                throw failure(.invalidNumber, "no digit in the exponent; write one, such as 1e6")
            }
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        // -0 is a `Double`: integers have no negative zero.
        if index == end, text != "-0" {
            if let value = Int128(text) { return .integer(value) }
            throw failure(
                .numberOutOfRange, at: start,
                "the integer is out of range, which ends at 2¹²⁷; write it as a string or with an exponent")
        }
        guard let value = Double(text), value.isFinite else {
            throw failure(.numberOutOfRange, at: start, "the number is too large for a Double; write it as a string")
        }
        return .double(value)
    }

    /// Skips digits and returns whether there is one.
    private mutating func skipDigits() -> Bool {
        let start = index
        while 0x30...0x39 ~= next { index += 1 }
        return index > start
    }

    // MARK: Strings

    /// Reads the string or key whose opening quote is at `index`.
    private mutating func readString() throws(FlagJSONError) -> String {
        index += 1
        let start = index
        skipUnescapedBytes()
        let text: String?
        if next == UInt8(ascii: "\"") {
            text = String(validating: bytes[start..<index], as: UTF8.self)
        } else {
            try readEscapedText(from: start)
            // An escape produces complete scalars, so it can't join two invalid sequences into a valid one.
            text = String(validating: scratch, as: UTF8.self)
        }
        guard let text else { throw invalidUTF8(in: start..<index) }
        index += 1
        return text
    }

    /// Advances `index` to the next quote, backslash or control character, or to the end of the document.
    @inline(__always) private mutating func skipUnescapedBytes() {
        while index < bytes.count {
            let byte = bytes[index]
            if byte == 0x22 || byte == 0x5C || byte < 0x20 { return }
            index += 1
        }
    }

    /// Reads the content of a string with escapes into `scratch`, up to the closing quote.
    private mutating func readEscapedText(from start: Int) throws(FlagJSONError) {
        var runStart = start
        scratch.removeAll(keepingCapacity: true)
        while true {
            scratch.append(contentsOf: bytes[runStart..<index])
            guard index < bytes.count else { throw unexpectedEnd() }
            if next == UInt8(ascii: "\"") { return }
            guard next == UInt8(ascii: "\\") else {
                let scalar = String(next, radix: 16, uppercase: true)
                throw failure(.controlCharacter, "a control character U+\(scalar) in a string; escape it with \\u")
            }
            try readEscape()
            runStart = index
            skipUnescapedBytes()
        }
    }

    /// Appends the character of the escape whose backslash is at `index` to `scratch`.
    private mutating func readEscape() throws(FlagJSONError) {
        let start = index
        index += 1
        guard index < bytes.count else { throw unexpectedEnd() }
        if let position = Self.escapes.firstIndex(of: next) {
            scratch.append(Self.escapedBytes[position])
            index += 1
        } else if consume("u") {
            try readUnicodeEscape(from: start)
        } else {
            throw failure(
                .invalidEscape, at: start,
                "a backslash before \(characterDescription(at: start + 1)); write two backslashes for one")
        }
    }

    private static let escapes = Array(#""\/bfnrt"#.utf8)
    private static let escapedBytes: [UInt8] = [0x22, 0x5C, 0x2F, 0x08, 0x0C, 0x0A, 0x0D, 0x09]

    private mutating func readUnicodeEscape(from start: Int) throws(FlagJSONError) {
        var code = try readFourHexDigits(from: start)
        // A low surrogate must follow a high one.
        if 0xD800...0xDBFF ~= code, consume("\\u") {
            let low = try readFourHexDigits(from: start)
            code = 0xDC00...0xDFFF ~= low ? 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00) : code
        }
        guard let scalar = Unicode.Scalar(code) else {
            throw failure(
                .loneSurrogate, at: start,
                "an escape for half a surrogate pair; write both halves, high before low")
        }
        scratch.append(contentsOf: String(scalar).utf8)
    }

    private mutating func readFourHexDigits(from start: Int) throws(FlagJSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard index < bytes.count else { throw unexpectedEnd() }
            guard let digit = Character(Unicode.Scalar(next)).hexDigitValue else {
                throw failure(
                    .invalidEscape, at: start, "an escape \\u without four hexadecimal digits; write all four")
            }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }

    // MARK: Errors

    /// Returns an error with its line, column and path.
    ///
    /// - Parameters:
    ///   - code: The kind of error.
    ///   - offset: The offset of the error, or `nil` for the current one.
    ///   - inContainer: Whether the error concerns the innermost container, and not one of its values.
    ///   - message: The problem and, after a semicolon, its fix.
    @inline(never) private func failure(
        _ code: FlagJSONError.Code, at offset: Int? = nil, inContainer: Bool = false, _ message: String
    ) -> FlagJSONError {
        let offset = offset ?? index
        var (line, column) = (1, 1)
        for position in 0..<offset {
            switch bytes[position] {
            case 0x0D where position + 1 < bytes.count && bytes[position + 1] == 0x0A: column += 1
            case 0x0A, 0x0D: (line, column) = (line + 1, 1)
            case 0x80..<0xC0: break
            // A byte order mark takes no column.
            case 0xEF where position == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]): break
            default: column += 1
            }
        }
        // An object whose first key hasn't been read yet adds no component.
        let frames = enclosingFrames.dropFirst() + (depth > 0 && !inContainer ? [frame] : [])
        let path = frames.compactMap { $0.isObject ? $0.key : String($0.elements.count) }
        return FlagJSONError(
            code: code, line: line, column: column, byteOffset: offset, path: path, message: message)
    }

    /// Returns the character at an offset as error messages name it.
    private func characterDescription(at offset: Int) -> String {
        guard offset < bytes.count else { return "the end" }
        var decoder = UTF8()
        var rest = bytes[offset...].makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&rest) else {
            return "the byte 0x\(String(bytes[offset], radix: 16, uppercase: true))"
        }
        return EncodedFlagValue.quoted(String(scalar))
    }

    private func unexpectedEnd(inContainer: Bool = false) -> FlagJSONError {
        failure(.unexpectedEnd, at: bytes.count, inContainer: inContainer, "the document ends too early; complete it")
    }

    private func trailingComma(before closing: String) -> FlagJSONError {
        failure(.trailingComma, inContainer: true, "a comma stands before the closing \(closing); remove the comma")
    }

    /// Returns an error for a character where something else must stand.
    private func unexpected(_ place: String, inContainer: Bool = false) -> FlagJSONError {
        guard index < bytes.count else { return unexpectedEnd(inContainer: inContainer) }
        if next == UInt8(ascii: "/") {
            return failure(.comment, inContainer: inContainer, "JSON has no comments; remove it")
        }
        let character = characterDescription(at: index)
        return failure(.unexpectedCharacter, inContainer: inContainer, "\(character) \(place)")
    }

    private func unexpectedValue() -> FlagJSONError {
        switch next {
        case UInt8(ascii: "N"), UInt8(ascii: "I"):
            failure(.unexpectedCharacter, "JSON has no NaN and no Infinity; write a number, null or a string")
        case UInt8(ascii: "+"), UInt8(ascii: "."):
            failure(.invalidNumber, "a number begins with a digit or a minus sign; write 0.5, not .5 or +0.5")
        case UInt8(ascii: "T"), UInt8(ascii: "F"), UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            failure(.unexpectedCharacter, "an unknown word; write true, false or null, or put it in quotes")
        default: unexpected("where a value is expected; write a value")
        }
    }

    /// Returns the error for the first byte of a string that isn't valid UTF-8.
    private func invalidUTF8(in range: Range<Int>) -> FlagJSONError {
        var position = range.lowerBound
        var rest = bytes[range].makeIterator()
        var decoder = UTF8()
        while case .scalarValue(let scalar) = decoder.decode(&rest) { position += UTF8.width(scalar) }
        return failure(
            .notUTF8, at: position,
            "\(characterDescription(at: position)) is not valid UTF-8; save the document as UTF-8")
    }
}
