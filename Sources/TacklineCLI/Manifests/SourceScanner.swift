#if CommandLine
    /// Goes over a source text and notes what it mentions. It knows comments and strings, and nothing of the language
    /// beyond, so a name that something else has too counts as a mention.
    struct SourceScanner {
        private let bytes: [UInt8]
        private var position = 0

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
        }

        mutating func scan(words: inout Set<String>, texts: inout Set<String>) {
            var previous = ""
            while position < bytes.count {
                let byte = bytes[position]
                if byte == UInt8(ascii: "/"), next == UInt8(ascii: "/") {
                    skipLine()
                } else if byte == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
                    skipComment()
                } else if byte == UInt8(ascii: "\"") {
                    let text = string(&words)
                    // The key that a flag is declared with is no use of it.
                    if previous != "key" { texts.insert(text) }
                    previous = ""
                } else if SourceScanner.isWord(byte) {
                    let word = self.word()
                    if !["var", "let", "case"].contains(previous) { words.insert(word) }
                    previous = word
                } else {
                    // `key: "a"` and `key: .absolute("a")` are one place.
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

        /// A string in one line; of a longer one, its lines are taken for code. Of one with an interpolation, every word
        /// counts as a mention.
        private mutating func string(_ words: inout Set<String>) -> String {
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
                    words.insert(String(decoding: word, as: UTF8.self))
                }
            }
            return String(decoding: bytes[start..<end], as: UTF8.self)
        }

        private mutating func word() -> String {
            let start = position
            while position < bytes.count, SourceScanner.isWord(bytes[position]) { position += 1 }
            return String(decoding: bytes[start..<position], as: UTF8.self)
        }

        /// Letters, digits and the underscore; anything beyond ASCII counts as a letter.
        private static func isWord(_ byte: UInt8) -> Bool {
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
