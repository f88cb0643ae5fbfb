extension KeyConfiguration {
    /// The conversion of a property's name to a component of a key path.
    ///
    /// The transform splits a name into words, converts them to lower case and joins them: `allowsSSON` becomes
    /// `allows_sson`, `HTTPServerURL` becomes `http_server_url`, and `thirdLevelFlag2` becomes `third_level_flag2`.
    /// Letters of every script are kept. Letters without case don't change.
    public struct Transform: Sendable, Equatable {
        // `nil` for the transform that changes nothing.
        private let separator: String?
        private var isThatOfRealFlags = false

        /// Snake case, the default: `allowsSSON` becomes `allows_sson`.
        public static let snakeCase = Transform(separator: "_")
        /// Kebab case: `allowsSSON` becomes `allows-sson`.
        public static let kebabCase = Transform(separator: "-")
        /// No conversion: `allowsSSON` stays `allowsSSON`.
        public static let none = Transform(separator: nil)
        /// Snake case as RealFlags produces it.
        package static let snakeCaseOfRealFlags = Transform(separator: "_", isThatOfRealFlags: true)
        /// Kebab case as RealFlags produces it.
        package static let kebabCaseOfRealFlags = Transform(separator: "-", isThatOfRealFlags: true)

        /// Returns the component of a key path for the name of a property. A loader transforms each name once.
        public func callAsFunction(_ name: String) -> String {
            separator.map { separated(name, by: $0).lowercased() } ?? name
        }

        /// Returns the words of a name, which underscores, hyphens, spaces and changes of case separate.
        ///
        /// A capital letter begins a word in two cases: if the character before it is not a capital letter, or if a
        /// lowercase letter follows. An acronym is therefore one word, and so is its plural (`URLs`). Digits belong to
        /// the word before them. A name that has only underscores and hyphens is one word.
        package static func words(in name: String) -> [String] {
            snakeCase.separated(name, by: " ").split(separator: " ").map { String($0) }
        }

        private func separated(_ name: String, by separator: String) -> String {
            // Arrays with room for all, and bytes, because a collection may have a thousand names.
            var (letters, text, isAfterSeparator): ([Unicode.Scalar], [UInt8], Bool) = ([], [], false)
            letters.reserveCapacity(name.utf8.count)
            text.reserveCapacity(2 * name.utf8.count)
            for letter in name.unicodeScalars { letters.append(letter) }
            for (index, letter) in letters.enumerated() {
                if !isThatOfRealFlags, letter == "_" || letter == "-" || letter == " " {
                    isAfterSeparator = true
                    continue
                }
                if isAfterSeparator || beginsWord(at: index, of: letters), !text.isEmpty { text += separator.utf8 }
                isAfterSeparator = false
                if letter.isASCII { text.append(UInt8(letter.value)) } else { text += String(letter).utf8 }
            }
            return text.isEmpty ? name : String(decoding: text, as: UTF8.self)
        }

        private func beginsWord(at index: Int, of letters: [Unicode.Scalar]) -> Bool {
            func isCapital(_ index: Int) -> Bool {
                letters[index].isASCII ? "A"..."Z" ~= letters[index] : letters[index].properties.isUppercase
            }
            func isSmall(_ index: Int) -> Bool {
                guard index < letters.count else { return false }
                return letters[index].isASCII ? "a"..."z" ~= letters[index] : letters[index].properties.isLowercase
            }
            guard index > 0, isCapital(index) else { return false }
            if isThatOfRealFlags {
                // A word begins only at an ASCII capital after a lowercase letter or a digit.
                let previous = letters[index - 1]
                return letters[index].isASCII && ("a"..."z" ~= previous || "0"..."9" ~= previous)
            }
            // A lowercase letter ends an acronym (`HTTPServer`), unless it is the `s` of a plural (`URLs`).
            return !isCapital(index - 1) || isSmall(index + 1) && (letters[index + 1] != "s" || isSmall(index + 2))
        }
    }
}
