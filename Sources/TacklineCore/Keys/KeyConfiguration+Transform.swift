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
            separator.map { separated(name, by: $0, isLowercased: true) } ?? name
        }

        /// Returns the words of a name, which underscores, hyphens, spaces and changes of case separate.
        ///
        /// A capital letter begins a word in two cases: if the character before it is not a capital letter, or if a
        /// lowercase letter follows. An acronym is therefore one word, and so is its plural (`URLs`). Digits belong to
        /// the word before them. A name that has only underscores and hyphens is one word.
        package static func words(in name: String) -> [String] {
            snakeCase.separated(name, by: " ", isLowercased: false).split(separator: " ").map { String($0) }
        }

        private func separated(_ name: String, by separator: String, isLowercased: Bool) -> String {
            // Bytes, because a collection may have a thousand names.
            var (text, isAfterSeparator): ([UInt8], Bool) = ([], false)
            text.reserveCapacity(2 * name.utf8.count)
            var rest = name.unicodeScalars.makeIterator()
            // As if an underscore came before the name, so that a first capital begins a word.
            var (previous, next, afterNext) = (Letter("_"), rest.next(), rest.next())
            while let letter = next {
                (next, afterNext) = (afterNext, rest.next())
                if !isThatOfRealFlags, letter == "_" || letter == "-" || letter == " " {
                    isAfterSeparator = true
                } else {
                    let isCapital = Self.isCapital(letter)
                    let beginsWord = isCapital && beginsWord(letter, previous, next, afterNext)
                    if isAfterSeparator || beginsWord, !text.isEmpty { text += separator.utf8 }
                    isAfterSeparator = false
                    if letter.isASCII {
                        text.append(UInt8(letter.value) | (isCapital && isLowercased ? 0x20 : 0))
                    } else {
                        text += (isLowercased ? letter.properties.lowercaseMapping : String(letter)).utf8
                    }
                }
                previous = letter
            }
            return text.isEmpty ? name : String(decoding: text, as: UTF8.self)
        }

        private typealias Letter = Unicode.Scalar

        private func beginsWord(_ capital: Letter, _ previous: Letter, _ next: Letter?, _ afterNext: Letter?) -> Bool {
            // A word begins only at an ASCII capital after a lowercase letter or a digit.
            if isThatOfRealFlags { return capital.isASCII && ("a"..."z" ~= previous || "0"..."9" ~= previous) }
            func isSmall(_ letter: Letter?) -> Bool {
                letter.map { $0.isASCII ? "a"..."z" ~= $0 : $0.properties.isLowercase } ?? false
            }
            // A lowercase letter ends an acronym (`HTTPServer`), unless it is the `s` of a plural (`URLs`).
            return !Self.isCapital(previous) || isSmall(next) && (next != "s" || isSmall(afterNext))
        }

        private static func isCapital(_ letter: Letter) -> Bool {
            letter.isASCII ? "A"..."Z" ~= letter : letter.properties.isUppercase
        }
    }
}
