#if CommandLine
    import TacklineCore

    /// Names for Swift, made of any text.
    enum SwiftNames {
        /// `new-welcome banner` → `newWelcomeBanner`; not yet in backticks.
        static func property(_ text: String) -> String {
            if isIdentifier(text) { return text }
            let words = words(of: text)
            let name = (words.first ?? "flag").lowercased() + words.dropFirst().map(capitalized).joined()
            return name.first?.isNumber == true ? "_\(name)" : name
        }

        /// `new-welcome banner` → `NewWelcomeBanner`.
        static func type(_ text: String) -> String {
            let name = words(of: text).map(capitalized).joined()
            let isBegun = name.first.map { !$0.isNumber } ?? false
            let whole = isBegun ? name : "Flags\(name)"
            return taken.contains(whole) ? "\(whole)Value" : whole
        }

        /// A name that is not in use; then it is.
        static func unique(_ name: String, in used: inout Set<String>) -> String {
            var unique = name
            var number = 2
            while !used.insert(unique).inserted {
                unique = "\(name)\(number)"
                number += 1
            }
            return unique
        }

        /// A name as it stands in source.
        static func source(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

        /// Whether a text can be a name: in ASCII, so that no other reader is in doubt.
        static func isIdentifier(_ text: String) -> Bool {
            guard let first = text.utf8.first, isLetter(first) || first == UInt8(ascii: "_"), text != "_" else {
                return false
            }
            return text.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
        }

        private static func words(of text: String) -> [String] {
            let safe = String(
                decoding: text.utf8.map { isLetter($0) || isDigit($0) ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
            return FlagKeyTransform.words(in: safe).filter { word in word.utf8.contains { $0 != UInt8(ascii: "_") } }
        }

        private static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }
        private static func isLetter(_ byte: UInt8) -> Bool {
            (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        }
        private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

        /// Types that the source names, which no other may be called.
        private static let taken: Set = [
            "Any", "Array", "Bool", "Data", "Date", "Dictionary", "Double", "Float", "Flag", "FlagCollection",
            "FlagKey",
            "FlagMetadata", "FlagValue", "Int", "Optional", "Protocol", "Self", "Set", "String", "Type", "UInt", "URL",
            "UUID",
        ]

        private static let keywords: Set = [
            "actor", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
            "deinit",
            "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if",
            "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private",
            "protocol", "public", "repeat", "rethrows", "return", "self", "Self", "static", "struct", "subscript",
            "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while", "Any", "Type",
            "Protocol", "await", "async",
        ]
    }
#endif
