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
        /// The place up to which quotation marks begin no string.
        private var codeEnd = 0

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
        }

        /// Calls a closure with each word and each text in quotes, outside of comments.
        mutating func scan(_ body: (Token) -> Void) {
            scan(to: bytes.count, body)
        }

        private mutating func scan(to end: Int, _ body: (Token) -> Void) {
            var previous = ""
            while position < end {
                let byte = bytes[position]
                if byte == UInt8(ascii: "/"), next == UInt8(ascii: "/") {
                    skipLine()
                } else if byte == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
                    skipComment()
                } else if byte == UInt8(ascii: "\"") {
                    scanString(previous, body)
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

        /// Scans a string in one line: its text, and the code in its interpolations. The lines of a longer string are
        /// scanned as code, and a quotation mark that begins no string, as in a regular expression, is passed over.
        private mutating func scanString(_ previous: String, _ body: (Token) -> Void) {
            let quotes = Array("\"\"\"".utf8)
            if bytes[position...].starts(with: quotes) {
                position += quotes.count
                return
            }
            guard position >= codeEnd, let string = string(at: position, depth: 0) else {
                // The rest of the line has no end of a string either, which is not looked for again and again.
                if position >= codeEnd {
                    codeEnd =
                        bytes[position...].prefix(Self.lengthLimit).firstIndex(of: 0x0A) ?? position + Self.lengthLimit
                }
                position += 1
                return
            }
            let content = String(decoding: bytes[(position + 1)..<string.end], as: UTF8.self)
            body(Token(isText: true, content: content, previous: previous, offset: position))
            for code in string.code {
                position = code.lowerBound
                scan(to: code.upperBound, body)
            }
            position = string.end + 1
        }

        /// The largest number of strings in each other's interpolations, and the largest length of one.
        private static let (depthLimit, lengthLimit) = (16, 4_096)

        /// Finds the quotation mark that ends a string, and the code in the string's interpolations.
        ///
        /// - Returns: `nil` if the line does not end the string.
        private func string(at start: Int, depth: Int) -> (end: Int, code: [Range<Int>])? {
            // `#"…"#` ends with as many marks as it begins with, and they are part of an escape: `\#(…)`.
            let marks = bytes[..<start].suffix(16).reversed().prefix { $0 == UInt8(ascii: "#") }.count
            var code: [Range<Int>] = []
            var index = start + 1
            while index < min(bytes.count, start + Self.lengthLimit), bytes[index] != 0x0A {
                let rest = bytes[(index + 1)...].prefix(marks)
                let isMarked = rest.count == marks && rest.allSatisfy { $0 == UInt8(ascii: "#") }
                if bytes[index] == UInt8(ascii: "\""), isMarked { return (index, code) }
                guard bytes[index] == UInt8(ascii: "\\"), isMarked else {
                    index += 1
                    continue
                }
                index += 1 + marks
                if index < bytes.count, bytes[index] == UInt8(ascii: "("), depth < Self.depthLimit {
                    guard let end = parenthesis(endingAt: index, depth: depth) else { return nil }
                    code.append(index + 1..<end)
                    index = end
                }
                index += 1
            }
            return nil
        }

        /// Finds the parenthesis that ends an interpolation; returns `nil` if the line does not end it.
        private func parenthesis(endingAt start: Int, depth: Int) -> Int? {
            var open = 0
            var index = start
            while index < min(bytes.count, start + Self.lengthLimit), bytes[index] != 0x0A {
                switch bytes[index] {
                case UInt8(ascii: "("): open += 1
                case UInt8(ascii: ")"):
                    open -= 1
                    if open == 0 { return index }
                case UInt8(ascii: "\""):
                    guard let string = string(at: index, depth: depth + 1) else { return nil }
                    index = string.end
                default: break
                }
                index += 1
            }
            return nil
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
