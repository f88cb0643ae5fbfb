/// A single-pass parser of JSON documents.
///
/// The parser doesn't recurse, because a debug build takes some kilobytes of stack for each level. Open arrays and
/// objects are kept in an array of frames.
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
        if start.starts(with: Self.byteOrderMark) {
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

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

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
        default: throw unexpected("where a value is expected; write a value")
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
            let closing: StaticString = frame.isObject ? "}" : "]"
            guard consume(closing) else {
                throw unexpected("after a value; write a comma or \(closing) there")
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
            throw unexpected("where a key is expected; put keys in double quotes")
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
        while next == 0x20 || next == 0x0A || next == 0x0D || next == 0x09 { index += 1 }
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
        let hasLeadingZero = next == UInt8(ascii: "0")
        let digits = skipDigits()
        var isValid = digits == 1 || digits > 1 && !hasLeadingZero
        let end = index
        if consume("."), skipDigits() == 0 { isValid = false }
        if consume("e") || consume("E") {
            if !consume("+") { _ = consume("-") }
            if skipDigits() == 0 { isValid = false }
        }
        guard isValid else {
            throw failure(
                .invalidNumber, at: start, "a number in another form than -1.5e3; correct it or put it in quotes")
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

    /// Skips digits and returns their number.
    private mutating func skipDigits() -> Int {
        let start = index
        while 0x30...0x39 ~= next { index += 1 }
        return index - start
    }

    // MARK: Strings

    /// Reads the string or key whose opening quote is at `index`.
    private mutating func readString() throws(FlagJSONError) -> String {
        index += 1
        let first = index
        var start = index
        scratch.removeAll(keepingCapacity: true)
        while true {
            while index < bytes.count, bytes[index] >= 0x20, bytes[index] != 0x22, bytes[index] != 0x5C { index += 1 }
            guard index < bytes.count else { throw unexpectedEnd() }
            switch bytes[index] {
            case UInt8(ascii: "\""):
                let rest = bytes[start..<index]
                index += 1
                // Nearly no string has escapes. They are complete scalars and join no two invalid sequences.
                let isPlain = start == first
                if !isPlain { scratch += rest }
                guard
                    let text = isPlain
                        ? String(validating: rest, as: UTF8.self) : String(validating: scratch, as: UTF8.self)
                else { throw failure(.notUTF8, at: first, "the string is not valid UTF-8; save the document as UTF-8") }
                return text
            case UInt8(ascii: "\\"):
                scratch += bytes[start..<index]
                try readEscape()
                start = index
            default:
                let scalar = String(next, radix: 16, uppercase: true)
                throw failure(.controlCharacter, "a control character U+\(scalar) in a string; escape it with \\u")
            }
        }
    }

    /// Appends the character of the escape whose backslash is at `index` to `scratch`.
    private mutating func readEscape() throws(FlagJSONError) {
        let start = index
        index += 1
        if let position = Self.escapes.firstIndex(of: next) {
            scratch.append(Self.escapedBytes[position])
            index += 1
            return
        }
        guard consume("u") else {
            guard index < bytes.count else { throw unexpectedEnd() }
            throw failure(
                .invalidEscape, at: start, "a backslash before \(character); write two backslashes for one")
        }
        var code = try readFourHexDigits(from: start)
        // A low surrogate must follow a high one.
        if 0xD800...0xDBFF ~= code, consume("\\u") {
            let low = try readFourHexDigits(from: start)
            code = 0xDC00...0xDFFF ~= low ? 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00) : code
        }
        guard let scalar = Unicode.Scalar(code) else {
            throw failure(
                .loneSurrogate, at: start, "an escape for half a surrogate pair; write both halves, high before low")
        }
        scratch += String(scalar).utf8
    }

    private static let escapes = Array(#""\/bfnrt"#.utf8)
    private static let escapedBytes: [UInt8] = [0x22, 0x5C, 0x2F, 0x08, 0x0C, 0x0A, 0x0D, 0x09]

    private mutating func readFourHexDigits(from start: Int) throws(FlagJSONError) -> UInt32 {
        guard bytes.count - index >= 4 else { throw unexpectedEnd() }
        let digits = bytes[index..<(index + 4)].compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == 4 else {
            throw failure(.invalidEscape, at: start, "an escape \\u without four hexadecimal digits; write all four")
        }
        index += 4
        return digits.reduce(0) { $0 << 4 | UInt32($1) }
    }

    // MARK: Errors

    /// Returns an error with its line, column and path.
    ///
    /// - Parameters:
    ///   - offset: The offset of the error, or `nil` for the current one.
    ///   - message: The problem and, after a semicolon, its fix.
    private func failure(_ code: FlagJSONError.Code, at offset: Int? = nil, _ message: String) -> FlagJSONError {
        let offset = offset ?? index
        var before = bytes[..<offset]
        if before.starts(with: Self.byteOrderMark) { before = before.dropFirst(3) }
        let line = before.count { $0 == 0x0A } + 1
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? before.startIndex
        let column = before[start...].count { !(0x80..<0xC0 ~= $0) } + 1
        // An object whose next key hasn't been read yet adds no component.
        let frames = (enclosingFrames + [frame]).dropFirst()
        let path = frames.compactMap { $0.isObject ? $0.key : String($0.elements.count) }
        return FlagJSONError(code: code, line: line, column: column, path: path, message: message)
    }

    private func unexpectedEnd() -> FlagJSONError {
        failure(.unexpectedEnd, at: bytes.count, "the document ends too early; complete it")
    }

    private func trailingComma(before closing: String) -> FlagJSONError {
        failure(.trailingComma, "a comma stands before the closing \(closing); remove the comma")
    }

    /// Returns an error for a character where something else must stand.
    private func unexpected(_ place: String) -> FlagJSONError {
        guard index < bytes.count else { return unexpectedEnd() }
        if next == UInt8(ascii: "/") { return failure(.comment, "JSON has no comments; remove it") }
        return failure(.unexpectedCharacter, "\(character) \(place)")
    }

    /// The character at `index` as error messages name it.
    private var character: String {
        let text = String(decoding: bytes[index...].prefix(4), as: UTF8.self)
        return EncodedFlagValue.quoted(String(text.unicodeScalars.prefix(1)))
    }
}
