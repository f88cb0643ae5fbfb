import TacklineCore

extension FlagJSONParser {
    /// Reads a string or a key, whose opening quote is at `index`.
    mutating func string(limit: Int, isKey: Bool) throws(FlagJSONError) -> String {
        let start = index + 1
        index = start
        skipPlain()
        guard index < bytes.count else { throw unexpectedEnd() }
        let text: String?
        if bytes[index] == UInt8(ascii: "\"") {
            let plain = UnsafeBufferPointer(rebasing: bytes[start..<index])
            try check(length: plain.count, limit: limit, isKey: isKey, start: start)
            text = String(validating: plain, as: UTF8.self)
        } else {
            try readEscapes(from: start)
            try check(length: scratch.count, limit: limit, isKey: isKey, start: start)
            // An escape stands for whole characters, so a part between two of them is valid or the whole is not.
            text = String(validating: scratch, as: UTF8.self)
        }
        guard let text else { throw notUTF8(start..<index) }
        index += 1
        return text
    }

    /// Reads a string with escapes into `scratch`, up to its closing quote.
    private mutating func readEscapes(from start: Int) throws(FlagJSONError) {
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
            try escape()
            runStart = index
            skipPlain()
        }
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
    private mutating func skipPlain() {
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
        if 0xD800...0xDBFF ~= value, bytes.count - index >= 2, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] == UInt8(ascii: "u")
        {
            let next = index
            index += 2
            let low = try fourHexDigits(from: next)
            if 0xDC00...0xDFFF ~= low {
                value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
            } else {
                // Not its other half, so it is read on its own.
                index = next
            }
        }
        guard let scalar = Unicode.Scalar(value) else {
            try setAside(loneSurrogate(start))
            scratch.append(contentsOf: [0xEF, 0xBF, 0xBD])
            return
        }
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

    /// Tells the first byte of a string that is not UTF-8.
    private func notUTF8(_ range: Range<Int>) -> FlagJSONError {
        var position = range.lowerBound
        var rest = bytes[range].makeIterator()
        var decoder = UTF8()
        while case .scalarValue(let scalar) = decoder.decode(&rest) { position += UTF8.width(scalar) }
        return failure(
            .notUTF8, at: position, "\(character(at: position)) is not valid UTF-8; save the document as UTF-8")
    }
}
