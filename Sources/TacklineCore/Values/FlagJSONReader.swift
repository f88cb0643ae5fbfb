/// A strict reader of JSON (RFC 8259).
///
/// ```swift
/// let value = try FlagJSONReader().read(#"{"attempts": 3}"#)   // ["attempts": 3]
/// ```
///
/// The reader converts exactly or refuses:
///
/// - A number with a fraction or an exponent is a `double`, rounded to the nearest one; any other number is an
///   `integer`. `-0` is the double -0.0, because no integer has a negative zero.
/// - An integer outside the range of `Int128` is an error. So is a number whose nearest `Double` is infinite. A number
///   too small for `Double` is zero.
/// - A key that occurs twice in an object is an error.
/// - Comments, trailing commas, NaN, invalid UTF-8, unpaired surrogates, control characters in strings and content
///   after the value are errors. A UTF-8 byte order mark is skipped.
///
/// No input traps or exhausts the stack. Reading takes O(*n*) time in the number of bytes.
package struct FlagJSONReader: Sendable {
    /// The upper bound of any depth limit, because a stack of 512 KiB has to suffice in a debug build.
    static let maximumSupportedDepth = 160
    /// The default size limit, 64 MiB. A value can take about thirty times as much memory as its document.
    package static let defaultMaximumBytes = 64 << 20

    fileprivate let maximumDepth: Int
    fileprivate let maximumBytes: Int
    fileprivate let requiresObject: Bool

    /// - Parameters:
    ///   - maximumDepth: The maximum nesting depth of arrays and objects. A value above 160 means 160.
    ///   - maximumBytes: The maximum size of a document.
    ///   - requiresObject: Whether a document must be an object. If `false`, it can be any value.
    package init(
        maximumDepth: Int = EncodedFlagValue.maximumDepth, maximumBytes: Int = defaultMaximumBytes,
        requiresObject: Bool = false
    ) {
        self.maximumDepth = min(maximumDepth, Self.maximumSupportedDepth)
        (self.maximumBytes, self.requiresObject) = (maximumBytes, requiresObject)
    }

    /// Reads a document from UTF-8 bytes.
    ///
    /// - Throws: ``FlagJSONError`` for the first error in the document.
    package func read(_ bytes: some Sequence<UInt8>) throws(FlagJSONError) -> EncodedFlagValue {
        try Array(bytes).withUnsafeBufferPointer(parse).get()
    }

    /// Returns a result, because the method of an array doesn't throw a typed error.
    @inline(never) private func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Result<EncodedFlagValue, FlagJSONError> {
        Result { () throws(FlagJSONError) in
            var parser = JSONParser(bytes: bytes, limits: self)
            return try parser.readDocument()
        }
    }

    package func read(_ text: String) throws(FlagJSONError) -> EncodedFlagValue { try read(text.utf8) }
}

/// An error in a JSON document.
///
/// An example of a description is
/// `line 3, column 7 at "flags/a": a comma stands before the closing brace; remove the comma`.
package struct FlagJSONError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The line of the error, counted from 1. A line ends with a line feed.
    package var line: Int
    /// The column of the error in Unicode scalars, counted from 1. A byte order mark isn't counted.
    package var column: Int
    /// The keys and indices that lead to the error, from the outermost container inwards: `["flags", "a", "0"]`.
    package var path: [String] = []
    /// A description of the problem and, after a semicolon, of its fix.
    package var message: String

    /// The line, column, path and message of the error. Long paths are shortened.
    package var description: String {
        let place = path.isEmpty ? "" : " at \(EncodedFlagValue.quoted(path.joined(separator: "/")))"
        return "line \(line), column \(column)\(place): \(message)"
    }
}

/// A single-pass parser by recursive descent.
private struct JSONParser {
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    let bytes: UnsafeBufferPointer<UInt8>
    let limits: FlagJSONReader
    var index = 0
    /// The key of a member or the index of an element at each level around the current value.
    var path: [(key: String?, index: Int)] = []

    /// The byte at `index`, or 0 at the end. No token begins with the byte 0.
    @inline(__always) private var next: UInt8 { index < bytes.count ? bytes[index] : 0 }

    mutating func readDocument() throws(FlagJSONError) -> EncodedFlagValue {
        guard bytes.count <= limits.maximumBytes else {
            throw failure("the document is larger than maximumBytes allows; split it or raise that limit")
        }
        if bytes.starts(with: Self.byteOrderMark) { index = 3 }
        skipWhitespace()
        if limits.requiresObject, next != UInt8(ascii: "{") {
            throw failure("the document is not an object; put its content between { and }")
        }
        let value = try readValue()
        skipWhitespace()
        guard index == bytes.count else { throw unexpected("after the end of the value; remove what follows it") }
        return value
    }

    // MARK: Values

    // One method for each kind, because a level of recursion takes the stack that their variables need.
    private mutating func readValue() throws(FlagJSONError) -> EncodedFlagValue {
        switch next {
        case UInt8(ascii: "\""): return .string(try readString())
        case UInt8(ascii: "-"), 0x30...0x39: return try readNumber()
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard path.count < limits.maximumDepth else {
                throw failure(EncodedFlagValue.tooDeep(limit: limits.maximumDepth))
            }
            return consume("{") ? try readMembers() : try readElements()
        case UInt8(ascii: "t") where consume("true"): return .bool(true)
        case UInt8(ascii: "f") where consume("false"): return .bool(false)
        case UInt8(ascii: "n") where consume("null"): return .null
        default: throw unexpected("where a value is expected; write a value")
        }
    }

    private mutating func readElements() throws(FlagJSONError) -> EncodedFlagValue {
        index += 1
        var elements: [EncodedFlagValue] = []
        path.append((nil, 0))
        while try beginPart(isFirst: elements.isEmpty, orConsume: "]") {
            elements.append(try readValue())
            path[path.count - 1].index += 1
        }
        path.removeLast()
        return .array(elements)
    }

    private mutating func readMembers() throws(FlagJSONError) -> EncodedFlagValue {
        var members: [String: EncodedFlagValue] = [:]
        let opening = index
        while try beginPart(isFirst: members.isEmpty, orConsume: "}") {
            let start = index
            let key = try readKey()
            path.append((key, 0))
            skipWhitespace()
            guard consume(":") else { throw unexpected("stands after a key; write a colon there") }
            skipWhitespace()
            guard members.updateValue(try readValue(), forKey: key) == nil else {
                let first = failure(at: place(of: key, after: opening), "")
                let place = "line \(first.line), column \(first.column)"
                throw failure(at: start, "the key occurs twice, first in \(place); remove one of the two")
            }
            path.removeLast()
        }
        return .object(members)
    }

    /// Returns the place of the first member with a key in an object, which is read again from its beginning.
    @inline(never) private func place(of key: String, after opening: Int) -> Int {
        var (parser, isFirst) = (self, true)
        parser.index = opening
        while (try? parser.beginPart(isFirst: isFirst, orConsume: "}")) == true {
            let start = parser.index
            if (try? parser.readKey()) == key { return start }
            parser.skipWhitespace()
            _ = parser.consume(":")
            parser.skipWhitespace()
            _ = try? parser.readValue()
            isFirst = false
        }
        return opening
    }

    /// Skips to the next element or key and returns `true`, or consumes the end of the container and returns `false`.
    private mutating func beginPart(isFirst: Bool, orConsume end: StaticString) throws(FlagJSONError) -> Bool {
        skipWhitespace()
        if consume(end) { return false }
        if isFirst { return true }
        guard consume(",") else { throw unexpected("after a value; write a comma or \(end) there") }
        skipWhitespace()
        guard next == end.utf8Start.pointee else { return true }
        let name = next == UInt8(ascii: "}") ? "brace" : "bracket"
        throw failure("a comma stands before the closing \(name); remove the comma")
    }

    private mutating func readKey() throws(FlagJSONError) -> String {
        guard next == UInt8(ascii: "\"") else {
            throw unexpected("where a key is expected; put keys in double quotes")
        }
        let start = index
        let key = try readString()
        // Keys are hashed and compared, which takes time for long ones and much for long runs of marks.
        guard key.utf8.count <= 1024, !key.hasLongRunOfMarks else {
            throw failure(at: start, "the key has more than 1,024 bytes or 30 combining marks in a row; shorten it")
        }
        return key
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
            throw failure(at: start, "a number in another form than -1.5e3; correct it or put it in quotes")
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        // -0 is a `Double`: integers have no negative zero.
        if index == end, text != "-0" {
            if let value = Int128(text) { return .integer(value) }
            throw failure(
                at: start, "the integer is out of range, which ends at 2¹²⁷; write it as a string or with an exponent")
        }
        guard let value = Double(text), value.isFinite else {
            throw failure(at: start, "the number is too large for a Double; write it as a string")
        }
        return .double(value)
    }

    private mutating func skipDigits() -> Int {
        let start = index
        while 0x30...0x39 ~= next { index += 1 }
        return index - start
    }

    // MARK: Strings

    private mutating func readString() throws(FlagJSONError) -> String {
        index += 1
        let first = index
        // The content before `start` with its escapes replaced. Nearly no string has any.
        var (start, replaced): (Int, [UInt8]) = (index, [])
        while true {
            while index < bytes.count, bytes[index] >= 0x20, bytes[index] != 0x22, bytes[index] != 0x5C { index += 1 }
            guard index < bytes.count else { throw unexpectedEnd }
            let rest = bytes[start..<index]
            switch next {
            case UInt8(ascii: "\""):
                index += 1
                let text =
                    start == first
                    ? String(validating: rest, as: UTF8.self) : String(validating: replaced + rest, as: UTF8.self)
                guard let text else {
                    throw failure(at: first, "the string is not valid UTF-8; save the document as UTF-8")
                }
                return text
            case UInt8(ascii: "\\"):
                replaced += rest
                replaced += try readEscape()
                start = index
            default:
                let scalar = String(next, radix: 16, uppercase: true)
                throw failure("a control character U+\(scalar) in a string; escape it with \\u")
            }
        }
    }

    private static let escapes: [UInt8: UInt8] = [
        0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09,
    ]

    /// Reads the escape whose backslash is at `index`, and returns its character, which is a complete scalar.
    private mutating func readEscape() throws(FlagJSONError) -> [UInt8] {
        let start = index
        index += 1
        if let byte = Self.escapes[next] {
            index += 1
            return [byte]
        }
        guard consume("u") else {
            guard index < bytes.count else { throw unexpectedEnd }
            throw failure(at: start, "a backslash before \(character); write two backslashes for one")
        }
        var code = try readFourHexDigits(from: start)
        // A low surrogate must follow a high one.
        if 0xD800...0xDBFF ~= code, consume("\\u") {
            let low = try readFourHexDigits(from: start)
            code = 0xDC00...0xDFFF ~= low ? 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00) : code
        }
        guard let scalar = Unicode.Scalar(code) else {
            throw failure(at: start, "an escape for half a surrogate pair; write both halves, high before low")
        }
        return Array(String(scalar).utf8)
    }

    private mutating func readFourHexDigits(from start: Int) throws(FlagJSONError) -> UInt32 {
        guard bytes.count - index >= 4 else { throw unexpectedEnd }
        let digits = bytes[index..<(index + 4)].compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == 4 else {
            throw failure(at: start, "an escape \\u without four hexadecimal digits; write all four")
        }
        index += 4
        return digits.reduce(0) { $0 << 4 | UInt32($1) }
    }

    // MARK: Errors

    private func failure(at offset: Int? = nil, _ message: String) -> FlagJSONError {
        let before = bytes[..<(offset ?? index)].dropFirst(bytes.starts(with: Self.byteOrderMark) ? 3 : 0)
        let line = before.count { $0 == 0x0A } + 1
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? before.startIndex
        let column = before[start...].count { !(0x80..<0xC0 ~= $0) } + 1
        return FlagJSONError(line: line, column: column, path: path.map { $0.key ?? "\($0.index)" }, message: message)
    }

    private var unexpectedEnd: FlagJSONError { failure(at: bytes.count, "the document ends too early; complete it") }

    private func unexpected(_ place: String) -> FlagJSONError {
        index < bytes.count ? failure("\(character) \(place)") : unexpectedEnd
    }

    private var character: String {
        let text = String(decoding: bytes[index...].prefix(4), as: UTF8.self)
        return EncodedFlagValue.quoted(String(text.unicodeScalars.prefix(1)))
    }
}
