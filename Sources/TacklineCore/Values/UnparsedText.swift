extension EncodedFlagValue {
    /// Returns the value itself, or the result of parsing it as JSON if it is an unparsed text.
    ///
    /// - Parameter expected: The phrase for the error message: "an array", "an object" or "JSON".
    /// - Throws: ``FlagValueError`` if the text is not valid JSON.
    func parsingJSON(expecting expected: String) throws(FlagValueError) -> EncodedFlagValue {
        guard case .unparsed(let text) = self else { return self }
        var parser = UnparsedTextParser(text)
        do throws(UnparsedTextParser.ParseError) {
            return try parser.parseDocument()
        } catch {
            let expected = expected == "JSON" ? expected : expected + " in JSON"
            throw FlagValueError(expected: expected, found: self, detail: error.message)
        }
    }
}

/// A JSON parser (RFC 8259) for arrays and objects in environment variables and arguments.
///
/// The parser accepts and refuses the same texts as `FlagJSONReader`, which reads whole documents and is not part of
/// the core; a test compares the two. Foundation's `JSONDecoder` is not suitable because it silently accepts `[1,]`,
/// reads 1.0 as 1, rounds an integer of forty digits and drops one of two equal keys. The recursion ends at
/// ``EncodedFlagValue/maximumDepth``.
private struct UnparsedTextParser {
    /// An error whose message has the position, the problem and, after a semicolon, the remedy.
    struct ParseError: Error { let message: String }

    /// The UTF-8 bytes of the text, and a final zero so that `next` is always valid.
    private let bytes: [UInt8]
    private var index = 0

    private var next: UInt8 { bytes[index] }

    init(_ text: String) {
        bytes = Array(text.utf8) + [0]
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }  // A byte order mark.
    }

    mutating func parseDocument() throws(ParseError) -> EncodedFlagValue {
        let value = try parseValue(level: 0)
        guard index == bytes.count - 1 else { throw parseError("something follows the value; remove it") }
        return value
    }

    private mutating func parseValue(level: Int) throws(ParseError) -> EncodedFlagValue {
        skipWhitespace()
        defer { skipWhitespace() }
        switch next {
        case UInt8(ascii: "["):
            var elements: [EncodedFlagValue] = []
            var hasNext = try consumeOpening(until: "]", level: level)
            while hasNext {
                elements.append(try parseValue(level: level + 1))
                hasNext = try consumeSeparator(or: "]")
            }
            return .array(elements)
        case UInt8(ascii: "{"):
            var members: [String: EncodedFlagValue] = [:]
            var hasNext = try consumeOpening(until: "}", level: level)
            while hasNext {
                let key = try parseKey()
                guard members.updateValue(try parseValue(level: level + 1), forKey: key) == nil else {
                    throw parseError("the key \(EncodedFlagValue.quoted(key)) occurs twice; remove one of the two")
                }
                hasNext = try consumeSeparator(or: "}")
            }
            return .object(members)
        case UInt8(ascii: "\""): return .string(try parseString())
        case UInt8(ascii: "t") where consume("true"): return .bool(true)
        case UInt8(ascii: "f") where consume("false"): return .bool(false)
        case UInt8(ascii: "n") where consume("null"): return .null
        default: return try parseNumber()
        }
    }

    // MARK: Arrays and objects

    /// Consumes an opening bracket, and `end` if it follows. Returns whether an element or a member follows instead.
    private mutating func consumeOpening(until end: StaticString, level: Int) throws(ParseError) -> Bool {
        guard level < EncodedFlagValue.maximumDepth else { throw parseError(EncodedFlagValue.tooDeep) }
        index += 1
        skipWhitespace()
        return !consume(end)
    }

    /// Consumes a comma or `end`. Returns whether it was a comma.
    private mutating func consumeSeparator(or end: StaticString) throws(ParseError) -> Bool {
        if consume(end) { return false }
        guard consume(",") else { throw parseError("a comma or \(end) is missing; write one of them") }
        return true
    }

    private mutating func parseKey() throws(ParseError) -> String {
        skipWhitespace()
        guard next == UInt8(ascii: "\"") else { throw parseError("a key is missing; write it in double quotes") }
        let key = try parseString()
        // The dictionary compares keys by canonical equivalence, which takes quadratic time for a run of combining
        // marks.
        guard key.utf8.count <= 1024 else { throw parseError("a key has more than 1,024 bytes; shorten it") }
        skipWhitespace()
        guard consume(":") else { throw parseError("a colon is missing; write one after the key") }
        return key
    }

    // MARK: Numbers

    private mutating func parseNumber() throws(ParseError) -> EncodedFlagValue {
        let start = index
        _ = consume("-")
        let startsWithZero = next == UInt8(ascii: "0")
        let digits = skipDigits()
        guard digits > 0 else { throw parseError("a value is missing; write one, and text in double quotes") }
        let end = index
        var isNumber = digits == 1 || !startsWithZero
        if consume(".") { isNumber = skipDigits() > 0 && isNumber }
        if consume("e") || consume("E") {
            if !consume("+") { _ = consume("-") }
            isNumber = skipDigits() > 0 && isNumber
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        // -0 is a `Double`: integers have no negative zero.
        if isNumber, index > end || text == "-0", let value = EncodedFlagValue(decimal: text) { return value }
        if isNumber, index == end, let value = Int128(decimal: text) { return .integer(value) }
        throw parseError("the number that ends here is not valid in JSON, or out of range; correct it")
    }

    private mutating func skipDigits() -> Int {
        let start = index
        while (0x30...0x39).contains(next) { index += 1 }
        return index - start
    }

    // MARK: Strings

    private mutating func parseString() throws(ParseError) -> String {
        index += 1
        var text: [UInt8] = []
        while next >= 0x20 {
            let byte = next
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): text.append(contentsOf: try parseEscape())
            default: text.append(byte)
            }
        }
        throw parseError("a string contains a control character; write that as \\u and four digits")
    }

    /// Parses an escape sequence after its backslash. Returns the UTF-8 bytes of the character.
    private mutating func parseEscape() throws(ParseError) -> [UInt8] {
        let letters = Array(#""\/bfnrt"#.utf8)
        let meanings: [UInt8] = [0x22, 0x5C, 0x2F, 0x08, 0x0C, 0x0A, 0x0D, 0x09]
        if let position = letters.firstIndex(of: next) {
            index += 1
            return [meanings[position]]
        }
        guard var code = parseCodeUnit() else {
            throw parseError("a backslash starts no escape that JSON has; write \\\\ for a backslash")
        }
        if 0xD800...0xDBFF ~= code, consume("\\"), let low = parseCodeUnit(), 0xDC00...0xDFFF ~= low {
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw parseError("half of a surrogate pair; write both halves") }
        return Array(String(scalar).utf8)
    }

    /// Parses the letter u and four hexadecimal digits. Returns `nil` if they do not follow.
    private mutating func parseCodeUnit() -> UInt32? {
        guard consume("u"), bytes.count - index > 4 else { return nil }
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(next)).hexDigitValue else { return nil }
            code = code << 4 | UInt32(digit)
            index += 1
        }
        return code
    }

    // MARK: Bytes

    private mutating func consume(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard bytes.count - index > count else { return false }
        for offset in 0..<count where bytes[index + offset] != text.utf8Start[offset] { return false }
        index += count
        return true
    }

    private mutating func skipWhitespace() {
        while next == 0x20 || next == 0x09 || next == 0x0A || next == 0x0D { index += 1 }
    }

    private func parseError(_ message: String) -> ParseError {
        guard index < bytes.count - 1 else { return ParseError(message: "the text ends too early; complete it") }
        let before = String(decoding: bytes[..<index], as: UTF8.self)
        return ParseError(message: "at character \(before.unicodeScalars.count + 1), \(message)")
    }
}
