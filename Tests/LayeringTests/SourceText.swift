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
        /// The number of tokens before it.
        let start: Int
        /// The number of tokens before its end, including those of its interpolations.
        var end: Int
    }

    private(set) var tokens: [Token] = []
    /// The string literals in the order of their beginnings. One in an interpolation follows the one around it.
    private(set) var literals: [Literal] = []

    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var line = 1
    private var depth = 0

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
        while index < scalars.count { scanCode(untilInterpolationEnds: false) }
    }

    /// Returns whether a text follows.
    private func begins(_ text: String) -> Bool {
        scalars[index...].starts(with: text.unicodeScalars)
    }

    private mutating func advance(_ count: Int = 1) {
        for _ in 0..<count where index < scalars.count {
            if scalars[index] == "\n" { line += 1 }
            index += 1
        }
    }

    private mutating func advance(while isIncluded: (Unicode.Scalar) -> Bool) {
        while index < scalars.count, isIncluded(scalars[index]) { advance() }
    }

    /// Scans code up to the end of the file or of an interpolation.
    private mutating func scanCode(untilInterpolationEnds: Bool) {
        var parentheses = 0
        while index < scalars.count {
            switch scalars[index] {
            case "/" where begins("//"): advance { $0 != "\n" }
            case "/" where begins("/*"): skipBlockComment()
            case "\"": scanString()
            case "#" where scalars[index...].first { $0 != "#" } == "\"": scanString()
            case let scalar where SourceText.isIdentifier(scalar):
                let start = index
                advance(while: SourceText.isIdentifier)
                append(scalars[start..<index])
            case let scalar:
                if untilInterpolationEnds, scalar == "(" { parentheses += 1 }
                if untilInterpolationEnds, scalar == ")" {
                    if parentheses == 0 { return }
                    parentheses -= 1
                }
                if scalar == "}" { depth -= 1 }
                if scalar > " " { append([scalar]) }
                if scalar == "{" { depth += 1 }
                advance()
            }
        }
    }

    private mutating func append(_ text: ArraySlice<Unicode.Scalar>) {
        tokens.append(Token(text: SourceText.string(text), line: line, depth: depth))
    }

    private mutating func skipBlockComment() {
        var open = 0
        repeat {
            let change = begins("/*") ? 1 : begins("*/") ? -1 : 0
            open += change
            advance(change == 0 ? 1 : 2)
        } while open > 0 && index < scalars.count
    }

    private mutating func scanString() {
        let place = literals.count
        literals.append(Literal(text: "", start: tokens.count, end: 0))
        let start = index
        advance { $0 == "#" }
        let pounds = String(repeating: "#", count: index - start)
        let quotes = begins("\"\"\"") ? "\"\"\"" : "\""
        advance(quotes.count)
        var text: [Unicode.Scalar] = []
        while index < scalars.count, !(scalars[index] == "\"" && begins(quotes + pounds)) {
            let scalar = scalars[index]
            advance()
            if scalar == "\\", begins(pounds) {
                advance(pounds.count)
                text += scanEscape()
            } else {
                text.append(scalar)
                if scalar == "\n" { advance { $0 == " " } }
            }
        }
        advance(quotes.count + pounds.count)
        // The line breaks next to the quotes belong to the syntax.
        literals[place].text = SourceText.string(quotes.count == 1 ? text[...] : text.dropFirst().dropLast())
        literals[place].end = tokens.count
    }

    /// Scans what follows a backslash, and returns its text.
    private mutating func scanEscape() -> [Unicode.Scalar] {
        guard index < scalars.count else { return [] }
        let scalar = scalars[index]
        advance()
        switch scalar {
        case "(":
            scanCode(untilInterpolationEnds: true)
            advance()
            return Array("\\(…)".unicodeScalars)
        case "\n":
            advance { $0 == " " }
            return []
        case "\"": return [scalar]
        default: return ["\\", scalar]
        }
    }

    private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }

    /// Returns whether a scalar is a letter, a digit, an underscore, or outside of ASCII.
    private static func isIdentifier(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "\u{80}"...: true
        default: false
        }
    }
}
