import TacklineCore

extension FlagJSONParser {
    /// Reads the string or key whose opening quote is at `index`.
    mutating func readString(limit: Int, isKey: Bool) throws(FlagJSONError) -> String {
        let start = index + 1
        index = start
        skipUnescapedBytes()
        guard index < bytes.count else { throw unexpectedEnd() }
        let text: String?
        if bytes[index] == UInt8(ascii: "\"") {
            let plain = UnsafeBufferPointer(rebasing: bytes[start..<index])
            try check(length: plain.count, limit: limit, isKey: isKey, start: start)
            text = String(validating: plain, as: UTF8.self)
        } else {
            try readEscapedText(from: start)
            try check(length: scratch.count, limit: limit, isKey: isKey, start: start)
            // An escape produces complete scalars, so it can't join two invalid sequences into a valid one.
            text = String(validating: scratch, as: UTF8.self)
        }
        guard let text else { throw invalidUTF8(in: start..<index) }
        index += 1
        return text
    }

    /// Reads the content of a string with escapes into `scratch`, up to the closing quote.
    private mutating func readEscapedText(from start: Int) throws(FlagJSONError) {
        var runStart = start
        scratch.removeAll(keepingCapacity: true)
        while true {
            scratch.append(contentsOf: bytes[runStart..<index])
            guard index < bytes.count else { throw unexpectedEnd() }
            if bytes[index] == UInt8(ascii: "\"") { return }
            guard bytes[index] == UInt8(ascii: "\\") else {
                let scalar = String(bytes[index], radix: 16, uppercase: true)
                throw failure(.controlCharacter, "a control character U+\(scalar) in a string; escape it with \\u")
            }
            try readEscape()
            runStart = index
            skipUnescapedBytes()
        }
    }

    private func check(length: Int, limit: Int, isKey: Bool, start: Int) throws(FlagJSONError) {
        guard length > limit else { return }
        throw failure(
            isKey ? .keyTooLong : .stringTooLong,
            at: start - 1,
            isKey
                ? "the key is longer than maximumKeyBytes allows; shorten it"
                : "the string is longer than maximumStringBytes allows; shorten it"
        )
    }

    /// Advances `index` to the next quote, backslash or control character, or to the end of the document.
    ///
    /// Tests eight bytes at once (S. E. Anderson, *Bit Twiddling Hacks*, "Determine if a word has a zero byte"). The
    /// test can flag additional bytes of a word, but only if the word contains a match.
    private mutating func skipUnescapedBytes() {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs = ones << 7
        var position = index
        if let base = UnsafeRawPointer(bytes.baseAddress) {
            while bytes.count - position >= 8 {
                let word = base.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                let quote = word ^ (ones &* 0x22)
                let backslash = word ^ (ones &* 0x5C)
                let found =
                    ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
                    | ((word &- ones &* 0x20) & ~word)
                if found & highs != 0 { break }
                position += 8
            }
        }
        while position < bytes.count {
            let byte = bytes[position]
            if byte == 0x22 || byte == 0x5C || byte < 0x20 { break }
            position += 1
        }
        index = position
    }

    /// Appends the character of the escape whose backslash is at `index` to `scratch`.
    private mutating func readEscape() throws(FlagJSONError) {
        let start = index
        index += 1
        guard index < bytes.count else { throw unexpectedEnd() }
        let byte = bytes[index]
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scratch.append(byte)
        case UInt8(ascii: "b"): scratch.append(0x08)
        case UInt8(ascii: "f"): scratch.append(0x0C)
        case UInt8(ascii: "n"): scratch.append(0x0A)
        case UInt8(ascii: "r"): scratch.append(0x0D)
        case UInt8(ascii: "t"): scratch.append(0x09)
        case UInt8(ascii: "u"): try readUnicodeEscape(from: start)
        default:
            throw failure(
                .invalidEscape,
                at: start,
                "a backslash before \(characterDescription(at: start + 1)); write two backslashes for one"
            )
        }
    }

    private mutating func readUnicodeEscape(from start: Int) throws(FlagJSONError) {
        var value = try readFourHexDigits(from: start)
        if 0xD800...0xDBFF ~= value, bytes.count - index >= 2, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] == UInt8(ascii: "u")
        {
            let next = index
            index += 2
            let low = try readFourHexDigits(from: next)
            if 0xDC00...0xDFFF ~= low {
                value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
            } else {
                // The second escape isn't a low surrogate, so it is read again as a character of its own.
                index = next
            }
        }
        guard let scalar = Unicode.Scalar(value) else {
            try recordPartError(loneSurrogate(at: start))
            scratch.append(contentsOf: [0xEF, 0xBF, 0xBD])
            return
        }
        scratch.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
    }

    private func loneSurrogate(at start: Int) -> FlagJSONError {
        failure(.loneSurrogate, at: start, "an escape for half a surrogate pair; write both halves, high before low")
    }

    private mutating func readFourHexDigits(from start: Int) throws(FlagJSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard index < bytes.count else { throw unexpectedEnd() }
            let byte = bytes[index]
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x41...0x46: digit = byte - 0x41 + 10
            case 0x61...0x66: digit = byte - 0x61 + 10
            default:
                throw failure(
                    .invalidEscape, at: start, "an escape \\u without four hexadecimal digits; write all four")
            }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
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
