#if CommandLine
    /// A scanner that collects the words and quoted texts of a source text. It recognizes comments and strings but no
    /// other syntax, so a name that another declaration shares counts as a mention.
    struct SourceScanner {
        /// A word or a text in quotes.
        struct Token: Equatable {
            /// Whether the token is a text in quotes.
            let isText: Bool
            let content: String
            /// The word before it, unless something other than a colon, a point or a parenthesis is between them.
            let previous: String
            /// The place in the bytes of a word, or of a text's quotation mark.
            let offset: Int

            /// Whether the token is the name or the key in a declaration.
            var isDeclared: Bool { isText ? previous == "key" : ["var", "let", "case"].contains(previous) }
        }

        private let bytes: [UInt8]
        private var position = 0

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
        }

        /// Calls a closure with each word and each text in quotes, outside of comments.
        mutating func scan(_ body: (Token) -> Void) {
            var previous = ""
            while position < bytes.count {
                let byte = bytes[position]
                if byte == UInt8(ascii: "/"), next == UInt8(ascii: "/") {
                    skipLine()
                } else if byte == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
                    skipComment()
                } else if byte == UInt8(ascii: "\"") {
                    let start = position
                    let text = string(body)
                    body(Token(isText: true, content: text, previous: previous, offset: start))
                    previous = ""
                } else if SourceScanner.isWord(byte) {
                    let start = position
                    let word = self.word()
                    body(Token(isText: false, content: word, previous: previous, offset: start))
                    previous = word
                } else {
                    // `key: "a"` and `key: .absolute("a")` both declare a key.
                    if !SourceScanner.joinsKey(byte), byte != UInt8(ascii: "`") { previous = "" }
                    position += 1
                }
                if previous == "absolute" { previous = "key" }
            }
        }

        private var next: UInt8 { position + 1 < bytes.count ? bytes[position + 1] : 0 }

        private mutating func skipLine() {
            while position < bytes.count, bytes[position] != 0x0A { position += 1 }
        }

        private mutating func skipComment() {
            var depth = 0
            while position < bytes.count {
                if bytes[position] == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
                    depth += 1
                    position += 2
                } else if bytes[position] == UInt8(ascii: "*"), next == UInt8(ascii: "/") {
                    depth -= 1
                    position += 2
                    if depth == 0 { return }
                } else {
                    position += 1
                }
            }
        }

        /// Returns the text of a string in one line. The lines of a longer string are scanned as code. Every word of a
        /// string with an interpolation counts as a mention.
        private mutating func string(_ body: (Token) -> Void) -> String {
            position += 1
            let start = position
            var isInterpolated = false
            while position < bytes.count, bytes[position] != UInt8(ascii: "\""), bytes[position] != 0x0A {
                let isEscape = bytes[position] == UInt8(ascii: "\\")
                if isEscape, next == UInt8(ascii: "(") { isInterpolated = true }
                position += isEscape ? 2 : 1
            }
            let end = min(position, bytes.count)
            position = min(end + 1, bytes.count)
            if isInterpolated {
                for word in bytes[start..<end].split(whereSeparator: { !SourceScanner.isWord($0) }) {
                    let content = String(decoding: word, as: UTF8.self)
                    body(Token(isText: false, content: content, previous: "", offset: word.startIndex))
                }
            }
            return String(decoding: bytes[start..<end], as: UTF8.self)
        }

        private mutating func word() -> String {
            let start = position
            while position < bytes.count, SourceScanner.isWord(bytes[position]) { position += 1 }
            return String(decoding: bytes[start..<position], as: UTF8.self)
        }

        /// Returns whether a byte is an ASCII letter, a digit or an underscore, or belongs to a character beyond ASCII.
        static func isWord(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
                0x80...,
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: false
            }
        }

        private static func joinsKey(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: ":"), UInt8(ascii: "("), UInt8(ascii: "."), 0x20, 0x09, 0x0A, 0x0D: true
            default: false
            }
        }
    }
#endif
