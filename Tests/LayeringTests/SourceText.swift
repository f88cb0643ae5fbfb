/// The tokens of a Swift file, which are identifiers with their positions, and punctuation; and its string literals.
///
/// Comments, nested ones too, are skipped. Code in an interpolation is scanned. The scanner is made for the formatted
/// sources of this package: it takes regular expression literals for code.
struct SourceText {
    struct Token: Equatable {
        let text: String
        let line: Int
        /// The number of braces that are open before it.
        let depth: Int
    }

    /// A string literal.
    struct Literal: Equatable {
        /// The text as it is written, without escaped line breaks and indentation. An interpolation is `\(…)`, and an
        /// escaped quote is a quote.
        var text: String
        let line: Int
        /// The number of tokens before it.
        let start: Int
        /// The number of tokens before its end, including those of its interpolations.
        var end: Int
    }

    private(set) var tokens: [Token] = []
    /// The string literals in the order of their beginnings. One in an interpolation follows the one around it.
    private(set) var literals: [Literal] = []

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var depth = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
        while index < bytes.count { scanCode(untilInterpolationEnds: false) }
    }

    /// Returns whether the bytes at an offset from the current position begin with a text.
    private func begins(_ text: StaticString, offset: Int = 0) -> Bool {
        text.withUTF8Buffer { bytes[min(index + offset, bytes.count)...].starts(with: $0) }
    }

    private mutating func advance(_ count: Int = 1) {
        for _ in 0..<count where index < bytes.count {
            if bytes[index] == UInt8(ascii: "\n") { line += 1 }
            index += 1
        }
    }

    /// Scans code up to the end of the file or of an interpolation.
    private mutating func scanCode(untilInterpolationEnds: Bool) {
        var parentheses = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "/"), begins("//") {
                while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { advance() }
            } else if byte == UInt8(ascii: "/"), begins("/*") {
                skipBlockComment()
            } else if byte == UInt8(ascii: "\"") || (byte == UInt8(ascii: "#") && opensRawString) {
                scanString()
            } else if SourceText.isIdentifier(byte) {
                let start = index
                while index < bytes.count, SourceText.isIdentifier(bytes[index]) { advance() }
                append(String(decoding: bytes[start..<index], as: UTF8.self))
            } else {
                if untilInterpolationEnds, byte == UInt8(ascii: "(") { parentheses += 1 }
                if untilInterpolationEnds, byte == UInt8(ascii: ")") {
                    if parentheses == 0 { return }
                    parentheses -= 1
                }
                if byte == UInt8(ascii: "}") { depth -= 1 }
                if byte > UInt8(ascii: " ") { append(String(decoding: [byte], as: UTF8.self)) }
                if byte == UInt8(ascii: "{") { depth += 1 }
                advance()
            }
        }
    }

    private mutating func append(_ text: String) {
        tokens.append(Token(text: text, line: line, depth: depth))
    }

    private mutating func skipBlockComment() {
        var open = 0
        repeat {
            if begins("/*") {
                open += 1
                advance(2)
            } else if begins("*/") {
                open -= 1
                advance(2)
            } else {
                advance()
            }
        } while open > 0 && index < bytes.count
    }

    private var opensRawString: Bool {
        var next = index
        while next < bytes.count, bytes[next] == UInt8(ascii: "#") { next += 1 }
        return next < bytes.count && bytes[next] == UInt8(ascii: "\"")
    }

    private mutating func scanString() {
        let place = literals.count
        literals.append(Literal(text: "", line: line, start: tokens.count, end: 0))
        var pounds = 0
        while bytes[index] == UInt8(ascii: "#") {
            pounds += 1
            advance()
        }
        let isMultiline = begins("\"\"\"")
        let quotes = isMultiline ? 3 : 1
        advance(quotes)
        var text: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\\"), hasPounds(pounds, after: 1) {
                advance(1 + pounds)
                text += scanEscape()
            } else if isMultiline ? begins("\"\"\"") : begins("\""), hasPounds(pounds, after: quotes) {
                advance(quotes + pounds)
                break
            } else {
                text.append(byte)
                advance()
                if byte == UInt8(ascii: "\n") { skipIndentation() }
            }
        }
        // The line breaks next to the quotes belong to the syntax.
        let lines = isMultiline ? text.dropFirst().dropLast() : text[...]
        literals[place].text = String(decoding: lines, as: UTF8.self)
        literals[place].end = tokens.count
    }

    /// Scans what follows a backslash, and returns its text.
    private mutating func scanEscape() -> [UInt8] {
        guard index < bytes.count else { return [] }
        let byte = bytes[index]
        advance()
        switch byte {
        case UInt8(ascii: "("):
            scanCode(untilInterpolationEnds: true)
            advance()
            return Array("\\(…)".utf8)
        case UInt8(ascii: "\n"):
            skipIndentation()
            return []
        case UInt8(ascii: "\""): return [byte]
        default: return [UInt8(ascii: "\\"), byte]
        }
    }

    private mutating func skipIndentation() {
        while index < bytes.count, bytes[index] == UInt8(ascii: " ") { advance() }
    }

    private func hasPounds(_ count: Int, after offset: Int) -> Bool {
        let start = index + offset
        guard start + count <= bytes.count else { return false }
        return bytes[start..<(start + count)].allSatisfy { $0 == UInt8(ascii: "#") }
    }

    /// Returns whether a byte is a letter, a digit, an underscore, or part of a character outside of ASCII.
    private static func isIdentifier(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...: true
        default: false
        }
    }
}
