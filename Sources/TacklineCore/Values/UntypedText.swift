extension EncodedFlagValue {
    /// Returns the value, or if it is an untyped text, that text parsed as JSON.
    ///
    /// - Parameter expected: What the type takes, for the error: "an array", "an object" or "JSON".
    func parsedIfText(expecting expected: String) throws(FlagValueError) -> EncodedFlagValue {
        guard case .unparsed(let text) = self else { return self }
        var reader = UntypedTextReader(text)
        do throws(UntypedTextReader.Mistake) {
            return try reader.document()
        } catch {
            let expected = expected == "JSON" ? expected : expected + " in JSON"
            throw FlagValueError(expected: expected, found: self, detail: error.text)
        }
    }
}

/// Parses an untyped text as JSON (RFC 8259), for lists and structures in environment variables and arguments.
///
/// It takes and refuses what `FlagJSONReader` does, as a test checks. That one reads whole documents, and is not part of
/// the core. Foundation's `JSONDecoder` would not do: it takes `[1,]`, reads 1.0 as 1, rounds an integer of forty digits
/// and drops one of two equal keys, all silently. Recursion ends at ``EncodedFlagValue/maximumDepth``.
private struct UntypedTextReader {
    /// `text` says where the mistake is, what it is, and after a semicolon what to do.
    struct Mistake: Error { let text: String }

    /// The text and a zero, so that there always is a next byte.
    private let bytes: [UInt8]
    private var index = 0

    private var next: UInt8 { bytes[index] }

    init(_ text: String) {
        bytes = Array(text.utf8) + [0]
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }  // A byte order mark.
    }

    mutating func document() throws(Mistake) -> EncodedFlagValue {
        let value = try value(level: 0)
        guard index == bytes.count - 1 else { throw mistake("something follows the value; remove it") }
        return value
    }

    /// Reads a value and the whitespace around it.
    private mutating func value(level: Int) throws(Mistake) -> EncodedFlagValue {
        skipBlanks()
        defer { skipBlanks() }
        switch next {
        case UInt8(ascii: "["):
            var elements: [EncodedFlagValue] = []
            var goesOn = try open("]", level: level)
            while goesOn {
                elements.append(try self.value(level: level + 1))
                goesOn = try comma(or: "]")
            }
            return .array(elements)
        case UInt8(ascii: "{"):
            var members: [String: EncodedFlagValue] = [:]
            var goesOn = try open("}", level: level)
            while goesOn {
                let key = try key()
                guard members.updateValue(try self.value(level: level + 1), forKey: key) == nil else {
                    throw mistake("the key \(EncodedFlagValue.quoted(key)) occurs twice; remove one of the two")
                }
                goesOn = try comma(or: "}")
            }
            return .object(members)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t") where take("true"): return .bool(true)
        case UInt8(ascii: "f") where take("false"): return .bool(false)
        case UInt8(ascii: "n") where take("null"): return .null
        default: return try number()
        }
    }

    // MARK: Arrays and objects

    /// Reads an opening bracket, and the closing one if it follows. Returns whether there are parts.
    private mutating func open(_ end: StaticString, level: Int) throws(Mistake) -> Bool {
        guard level < EncodedFlagValue.maximumDepth else { throw mistake(EncodedFlagValue.tooDeep) }
        index += 1
        skipBlanks()
        return !take(end)
    }

    /// Reads what follows a part. Returns whether that was a comma.
    private mutating func comma(or end: StaticString) throws(Mistake) -> Bool {
        if take(end) { return false }
        guard take(",") else { throw mistake("a comma or \(end) is missing; write one of them") }
        return true
    }

    private mutating func key() throws(Mistake) -> String {
        skipBlanks()
        guard next == UInt8(ascii: "\"") else { throw mistake("a key is missing; write it in double quotes") }
        let key = try string()
        // Comparing keys takes quadratic time for a run of combining marks.
        guard key.utf8.count <= 1024 else { throw mistake("a key has more than 1,024 bytes; shorten it") }
        skipBlanks()
        guard take(":") else { throw mistake("a colon is missing; write one after the key") }
        return key
    }

    // MARK: Numbers

    private mutating func number() throws(Mistake) -> EncodedFlagValue {
        let start = index
        _ = take("-")
        let startsWithZero = next == UInt8(ascii: "0")
        let digits = skipDigits()
        guard digits > 0 else { throw mistake("a value is missing; write one, and text in double quotes") }
        let end = index
        var isNumber = digits == 1 || !startsWithZero
        if take(".") { isNumber = skipDigits() > 0 && isNumber }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            isNumber = skipDigits() > 0 && isNumber
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        // -0 is a `Double`: integers have no negative zero.
        if isNumber, index > end || text == "-0", let value = Double(decimal: text) { return .double(value) }
        if isNumber, index == end, let value = Int128(decimal: text) { return .integer(value) }
        throw mistake("the number that ends here is not valid in JSON, or out of range; correct it")
    }

    private mutating func skipDigits() -> Int {
        let start = index
        while (0x30...0x39).contains(next) { index += 1 }
        return index - start
    }

    // MARK: Strings

    private mutating func string() throws(Mistake) -> String {
        index += 1
        var text: [UInt8] = []
        while next >= 0x20 {
            let byte = next
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): text.append(contentsOf: try escape())
            default: text.append(byte)
            }
        }
        throw mistake("a string contains a control character; write that as \\u and four digits")
    }

    /// Reads the rest of an escape after its backslash. Returns the bytes that it stands for.
    private mutating func escape() throws(Mistake) -> [UInt8] {
        let letters = Array(#""\/bfnrt"#.utf8)
        let meanings: [UInt8] = [0x22, 0x5C, 0x2F, 0x08, 0x0C, 0x0A, 0x0D, 0x09]
        if let place = letters.firstIndex(of: next) {
            index += 1
            return [meanings[place]]
        }
        guard var code = codeUnit() else {
            throw mistake("a backslash starts no escape that JSON has; write \\\\ for a backslash")
        }
        if 0xD800...0xDBFF ~= code, take("\\"), let low = codeUnit(), 0xDC00...0xDFFF ~= low {
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw mistake("half of a surrogate pair; write both halves") }
        return Array(String(scalar).utf8)
    }

    /// Reads the letter u and four hexadecimal digits; `nil` if they are not there.
    private mutating func codeUnit() -> UInt32? {
        guard take("u"), bytes.count - index > 4 else { return nil }
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(next)).hexDigitValue else { return nil }
            code = code << 4 | UInt32(digit)
            index += 1
        }
        return code
    }

    // MARK: Bytes

    private mutating func take(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard bytes.count - index > count else { return false }
        for offset in 0..<count where bytes[index + offset] != text.utf8Start[offset] { return false }
        index += count
        return true
    }

    private mutating func skipBlanks() {
        while next == 0x20 || next == 0x09 || next == 0x0A || next == 0x0D { index += 1 }
    }

    private func mistake(_ text: String) -> Mistake {
        guard index < bytes.count - 1 else { return Mistake(text: "the text ends too early; complete it") }
        let before = String(decoding: bytes[..<index], as: UTF8.self)
        return Mistake(text: "at character \(before.unicodeScalars.count + 1), \(text)")
    }
}
