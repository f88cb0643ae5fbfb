extension FlagJSONParser {
    /// Reads a string or a key, whose opening quote is at `index`.
    mutating func string(limit: Int, isKey: Bool) throws(FlagJSONError) -> String {
        let start = index + 1
        index = start
        var isASCII = true
        skipPlain(isASCII: &isASCII)
        guard index < bytes.count else { throw unexpectedEnd() }
        let text: String
        if bytes[index] == UInt8(ascii: "\"") {
            let plain = UnsafeBufferPointer(rebasing: bytes[start..<index])
            try check(length: plain.count, limit: limit, isKey: isKey, start: start)
            if !isASCII { try checkUTF8(start..<index) }
            text = String(decoding: plain, as: UTF8.self)
        } else {
            text = try escapedString(from: start, limit: limit, isKey: isKey, isASCII: isASCII)
        }
        index += 1
        return text
    }

    /// Reads the rest of a string with escapes, up to its closing quote.
    private mutating func escapedString(
        from start: Int,
        limit: Int,
        isKey: Bool,
        isASCII: Bool
    ) throws(FlagJSONError) -> String {
        var isASCII = isASCII
        var runStart = start
        scratch.removeAll(keepingCapacity: true)
        while true {
            scratch.append(contentsOf: bytes[runStart..<index])
            guard index < bytes.count else { throw unexpectedEnd() }
            if bytes[index] == UInt8(ascii: "\"") { break }
            guard bytes[index] == UInt8(ascii: "\\") else {
                let scalar = String(bytes[index], radix: 16, uppercase: true)
                throw failure(.controlCharacter, "a control character U+\(scalar) in a string; escape it with \\u")
            }
            try escape()
            runStart = index
            skipPlain(isASCII: &isASCII)
        }
        try check(length: scratch.count, limit: limit, isKey: isKey, start: start)
        if !isASCII { try checkUTF8(start..<index) }
        return String(decoding: scratch, as: UTF8.self)
    }

    private func check(length: Int, limit: Int, isKey: Bool, start: Int) throws(FlagJSONError) {
        guard length > limit else { return }
        throw failure(
            isKey ? .keyTooLong : .stringTooLong,
            at: start - 1,
            "a \(isKey ? "key" : "string") of \(length) bytes, where \(limit) are allowed; shorten it"
        )
    }

    /// Goes to the next byte that ends a plain run: a quote, a backslash, a control character or the end.
    ///
    /// Looks at eight bytes at once (S. E. Anderson, *Bit Twiddling Hacks*, "Determine if a word has a zero byte"). A
    /// wrong alarm only costs time; there is none without a true one in the same word.
    private mutating func skipPlain(isASCII: inout Bool) {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs = ones << 7
        var seen: UInt64 = 0
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
                seen |= word
                position += 8
            }
        }
        while position < bytes.count {
            let byte = bytes[position]
            if byte == 0x22 || byte == 0x5C || byte < 0x20 { break }
            seen |= UInt64(byte)
            position += 1
        }
        index = position
        if seen & highs != 0 { isASCII = false }
    }

    /// Reads an escape, whose backslash is at `index`, into `scratch`.
    private mutating func escape() throws(FlagJSONError) {
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
        case UInt8(ascii: "u"): try unicodeEscape(from: start)
        default:
            throw failure(
                .invalidEscape,
                at: start,
                "a backslash before \(character(at: start + 1)); write two backslashes for one"
            )
        }
    }

    private mutating func unicodeEscape(from start: Int) throws(FlagJSONError) {
        var value = try fourHexDigits(from: start)
        if 0xD800...0xDBFF ~= value {
            guard bytes.count - index >= 2, bytes[index] == UInt8(ascii: "\\"),
                bytes[index + 1] == UInt8(ascii: "u")
            else { throw loneSurrogate(start) }
            index += 2
            let low = try fourHexDigits(from: index - 2)
            guard 0xDC00...0xDFFF ~= low else { throw loneSurrogate(start) }
            value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(value) else { throw loneSurrogate(start) }
        scratch.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
    }

    private func loneSurrogate(_ start: Int) -> FlagJSONError {
        failure(.loneSurrogate, at: start, "an escape for half a surrogate pair; write both halves, high before low")
    }

    private mutating func fourHexDigits(from start: Int) throws(FlagJSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard index < bytes.count else { throw unexpectedEnd() }
            let byte = bytes[index]
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x41...0x46: digit = byte - 0x41 + 10
            case 0x61...0x66: digit = byte - 0x61 + 10
            default: throw failure(.invalidEscape, at: start, "an escape \\u without four hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }

    /// Refuses what is not well-formed UTF-8 (*The Unicode Standard*, table 3-7).
    private func checkUTF8(_ range: Range<Int>) throws(FlagJSONError) {
        var position = range.lowerBound
        while position < range.upperBound {
            let lead = bytes[position]
            if lead < 0x80 {
                position += 1
                continue
            }
            let length: Int
            var second: ClosedRange<UInt8> = 0x80...0xBF
            switch lead {
            case 0xC2...0xDF: length = 2
            case 0xE0...0xEF:
                length = 3
                if lead == 0xE0 { second = 0xA0...0xBF }
                if lead == 0xED { second = 0x80...0x9F }
            case 0xF0...0xF4:
                length = 4
                if lead == 0xF0 { second = 0x90...0xBF }
                if lead == 0xF4 { second = 0x80...0x8F }
            default: throw notUTF8(position)
            }
            guard range.upperBound - position >= length, second ~= bytes[position + 1] else {
                throw notUTF8(position)
            }
            for offset in 2..<max(length, 2) where bytes[position + offset] & 0xC0 != 0x80 {
                throw notUTF8(position)
            }
            position += length
        }
    }

    private func notUTF8(_ position: Int) -> FlagJSONError {
        failure(.notUTF8, at: position, "\(character(at: position)) is not valid UTF-8; save the document as UTF-8")
    }
}
