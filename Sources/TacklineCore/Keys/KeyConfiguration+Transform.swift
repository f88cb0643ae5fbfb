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
            guard recognizesAcronyms else {
                return name.replacing(/([a-z0-9])([A-Z])/) { "\($0.1)\(separator)\($0.2)" }.lowercased()
            }
            // Bytes, because a collection may have a thousand names.
            var text: [UInt8] = []
            for word in Transform.words(in: Array(name.unicodeScalars)) {
                if !text.isEmpty { text += separator.utf8 }
                for letter in word {
                    if let ascii = UInt8(exactly: letter.value), ascii < 128 {
                        text.append(Kind(letter) == .uppercase ? ascii + 32 : ascii)
                    } else {
                        text += letter.properties.lowercaseMapping.utf8
                    }
                }
            }
            return String(decoding: text, as: UTF8.self)
        }

        /// Returns the words of a name, which underscores, hyphens, spaces and changes of case separate.
        ///
        /// A capital letter begins a word in two cases: if the character before it is not a capital letter, or if a
        /// lowercase letter follows. An acronym is therefore one word, and so is its plural (`URLs`). Digits belong to
        /// the word before them. A name that has only underscores and hyphens is one word.
        package static func words(in name: String) -> [String] {
            words(in: Array(name.unicodeScalars)).map { String(String.UnicodeScalarView($0)) }
        }

        private static func words(in letters: [Unicode.Scalar]) -> [ArraySlice<Unicode.Scalar>] {
            func kind(_ position: Int) -> Kind { position < letters.count ? Kind(letters[position]) : .other }
            var words: [ArraySlice<Unicode.Scalar>] = []
            var start = 0
            for position in letters.indices {
                let isSeparator = kind(position) == .separator
                guard isSeparator || kind(position) == .uppercase && position > 0 else { continue }
                // A lowercase letter ends an acronym (`HTTPServer`), unless it is the `s` of a plural (`URLs`).
                let next = kind(position + 1)
                let endsAcronym = next == .lowercase || next == .plural && kind(position + 2).isLowercase
                guard isSeparator || kind(position - 1) != .uppercase || endsAcronym else { continue }
                if start < position { words.append(letters[start..<position]) }
                start = isSeparator ? position + 1 : position
            }
            if start < letters.count { words.append(letters[start...]) }
            return words.isEmpty ? [letters[...]] : words
        }

        private enum Kind {
            case separator, uppercase, lowercase, plural, other

            var isLowercase: Bool { self == .lowercase || self == .plural }

            init(_ letter: Unicode.Scalar) {
                switch letter {
                case "_", "-", " ": self = .separator
                case "A"..."Z": self = .uppercase
                case "s": self = .plural
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
