extension KeyConfiguration {
    /// The conversion of a property's name to a component of a key path.
    ///
    /// The transform splits a name into words, converts them to lower case and joins them: `allowsSSON` becomes
    /// `allows_sson`, `HTTPServerURL` becomes `http_server_url`, and `thirdLevelFlag2` becomes `third_level_flag2`.
    /// Letters of every script are kept. Letters without case don't change.
    public struct Transform: Sendable, Equatable {
        // `nil` for the transform that changes nothing.
        private let separator: String?
        // In RealFlags, a word begins only at an ASCII capital after a lowercase letter or a digit.
        private var recognizesAcronyms = true
        private var changesCase = true

        /// Snake case, the default: `allowsSSON` becomes `allows_sson`.
        public static let snakeCase = Transform(separator: "_")
        /// Kebab case: `allowsSSON` becomes `allows-sson`.
        public static let kebabCase = Transform(separator: "-")
        /// No conversion: `allowsSSON` stays `allowsSSON`.
        public static let none = Transform(separator: nil)
        /// Snake case as RealFlags produces it.
        package static let snakeCaseOfRealFlags = Transform(separator: "_", recognizesAcronyms: false)
        /// Kebab case as RealFlags produces it.
        package static let kebabCaseOfRealFlags = Transform(separator: "-", recognizesAcronyms: false)

        /// Returns the component of a key path for the name of a property. A loader transforms each name once.
        public func callAsFunction(_ name: String) -> String {
            guard let separator else { return name }
            // Bytes, because a collection may have a thousand names.
            var text: [UInt8] = []
            text.reserveCapacity(2 * name.utf8.count)
            var letters: [Unicode.Scalar] = []
            letters.reserveCapacity(name.utf8.count)
            for letter in name.unicodeScalars { letters.append(letter) }
            var isAfterSeparator = false
            for position in letters.indices {
                let (letter, kind) = (letters[position], Kind(letters[position]))
                if recognizesAcronyms, kind == .separator {
                    isAfterSeparator = true
                    continue
                }
                let isFirst = isAfterSeparator || kind == .uppercase && beginsWord(at: position, of: letters)
                if isFirst, !text.isEmpty { text += separator.utf8 }
                isAfterSeparator = false
                if letter.isASCII {
                    text.append(UInt8(letter.value) + (changesCase && kind == .uppercase ? 32 : 0))
                } else {
                    text += (changesCase ? letter.properties.lowercaseMapping : String(letter)).utf8
                }
            }
            return text.isEmpty ? name.lowercased() : String(decoding: text, as: UTF8.self)
        }

        /// Returns the words of a name, which underscores, hyphens, spaces and changes of case separate.
        ///
        /// A capital letter begins a word in two cases: if the character before it is not a capital letter, or if a
        /// lowercase letter follows. An acronym is therefore one word, and so is its plural (`URLs`). Digits belong to
        /// the word before them. A name that has only underscores and hyphens is one word.
        package static func words(in name: String) -> [String] {
            Transform(separator: " ", changesCase: false)(name).split(separator: " ").map { String($0) }
        }

        private func beginsWord(at position: Int, of letters: [Unicode.Scalar]) -> Bool {
            func kind(_ position: Int) -> Kind { letters.indices.contains(position) ? Kind(letters[position]) : .other }
            guard position > 0 else { return false }
            let previous = letters[position - 1]
            guard recognizesAcronyms else {
                return letters[position].isASCII && ("a"..."z" ~= previous || "0"..."9" ~= previous)
            }
            // A lowercase letter ends an acronym (`HTTPServer`), unless it is the `s` of a plural (`URLs`).
            let endsAcronym =
                kind(position + 1) == .lowercase
                && (letters[position + 1] != "s" || kind(position + 2) == .lowercase)
            return Kind(previous) != .uppercase || endsAcronym
        }

        private enum Kind {
            case separator, uppercase, lowercase, other

            init(_ letter: Unicode.Scalar) {
                switch letter {
                case "_", "-", " ": self = .separator
                case "A"..."Z": self = .uppercase
                case "a"..."z": self = .lowercase
                case _ where letter.isASCII: self = .other
                default:
                    self =
                        letter.properties.isUppercase ? .uppercase : letter.properties.isLowercase ? .lowercase : .other
                }
            }
        }
    }
}
