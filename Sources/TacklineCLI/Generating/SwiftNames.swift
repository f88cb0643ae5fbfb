#if CommandLine
    import TacklineCore

    /// Functions that make Swift names from any text.
    enum SwiftNames {
        /// Returns a name for a property, without backticks: `new-welcome banner` becomes `newWelcomeBanner`.
        ///
        /// The name never begins with a capital letter, because a property `Date` would hide the type.
        static func property(_ text: String) -> String {
            if isIdentifier(text), !(0x41...0x5A).contains(text.utf8.first ?? 0) { return text }
            let words = words(of: text)
            let name = (words.first ?? "flag").lowercased() + words.dropFirst().map(capitalized).joined()
            return name.first?.isNumber == true ? "_\(name)" : name
        }

        /// Returns a name for a type: `new-welcome banner` becomes `NewWelcomeBanner`.
        static func type(_ text: String) -> String {
            let name = words(of: text).map(capitalized).joined()
            let isBegun = name.first.map { !$0.isNumber } ?? false
            let whole = isBegun ? name : "Flags\(name)"
            return taken.contains(whole) ? "\(whole)Value" : whole
        }

        /// Returns a name that is not in use, and adds it to the names in use.
        static func unique(_ name: String, in used: inout Set<String>) -> String {
            var unique = name
            var number = 2
            while !used.insert(unique).inserted {
                unique = "\(name)\(number)"
                number += 1
            }
            return unique
        }

        /// Returns a name for a property with a wrapper, and adds it and the wrapper's own name, which begins with an
        /// underscore, to the names in use.
        static func uniqueProperty(_ name: String, in used: inout Set<String>) -> String {
            var unique = name
            var number = 2
            while used.contains(unique) || used.contains("_\(unique)") {
                unique = "\(name)\(number)"
                number += 1
            }
            used.formUnion([unique, "_\(unique)"])
            return unique
        }

        /// Returns whether a name is that of a type that generated source uses.
        static func isTaken(_ name: String) -> Bool { taken.contains(name) }

        /// Returns a name as it is written in source, in backticks if it is a keyword.
        static func source(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

        /// Returns whether a text is an identifier in ASCII. Others are refused so that no tool reads the source
        /// differently.
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

        /// The types that generated source uses, whose names no other type may have.
        private static let taken: Set = [
            "Any", "Array", "Bool", "CaseIterable", "Data", "Date", "Dictionary", "Double", "EncodedFlagValue", "Flag",
            "FlagCollection", "FlagCollectionProtocol", "FlagKey", "FlagMetadata", "FlagValue", "Float", "Int",
            "Int128",
            "Int16", "Int32", "Int64", "Int8", "Optional", "Protocol", "Self", "Set", "String", "Type", "UInt",
            "UInt128",
            "UInt16", "UInt32", "UInt64", "UInt8", "URL", "UUID",
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
