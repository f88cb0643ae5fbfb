/// How the name of a property becomes a name in a key path.
///
/// A name is split into words: `allowsSSON` → `allows`, `sson`; `HTTPServerURL` → `http`, `server`, `url`;
/// `thirdLevelFlag2` → `third`, `level`, `flag2`. Letters of every script are kept; those without case are not changed.
public struct FlagKeyTransform: Sendable, Equatable {
    /// What stands between two words; `nil` to leave names as they are.
    private let separator: String?
    /// Whether an acronym is a word. In RealFlags a word begins only at an ASCII capital behind a small letter or a digit.
    private var findsAcronyms = true

    /// `allowsSSON` → `allows_sson`. The default.
    public static let snakeCase = FlagKeyTransform(separator: "_")
    /// `allowsSSON` → `allows-sson`.
    public static let kebabCase = FlagKeyTransform(separator: "-")
    /// `allowsSSON` → `allowsSSON`.
    public static let none = FlagKeyTransform(separator: nil)
    package static let snakeCaseOfRealFlags = FlagKeyTransform(separator: "_", findsAcronyms: false)
    package static let kebabCaseOfRealFlags = FlagKeyTransform(separator: "-", findsAcronyms: false)

    /// Returns the name for a key path.
    ///
    /// - Complexity: O(*n*) in the length of the name. A loader calls it once for each flag.
    public func callAsFunction(_ name: String) -> String {
        guard let separator else { return name }
        return joinedWords(of: name, separator: separator)
            ?? FlagKeyTransform.words(in: name).map { $0.lowercased() }.joined(separator: separator)
    }

    /// Does the same for a name in ASCII without underscores, hyphens and acronyms, as nearly all are: Unicode's case mapping
    /// takes a hundred times as long. Returns `nil` for others, if acronyms matter.
    private func joinedWords(of name: String, separator: String) -> String? {
        var (text, last, isPlain): ([UInt8], UInt8, Bool) = ([], 0, true)
        text.reserveCapacity(name.utf8.count + 8)
        for byte in name.utf8 {
            let isUpper = FlagKeyTransform.isCapital(byte)
            isPlain = isPlain && byte < 0x80
            if findsAcronyms {
                let isUnderlined = byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
                guard isPlain, !isUnderlined, !isUpper || !FlagKeyTransform.isCapital(last) else { return nil }
            }
            if isUpper, findsAcronyms ? last != 0 : FlagKeyTransform.endsWord(last) { text += separator.utf8 }
            text.append(isUpper ? byte | 0x20 : byte)
            last = byte
        }
        let joined = String(decoding: text, as: UTF8.self)
        return isPlain ? joined : joined.lowercased()
    }

    private static func isCapital(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
    private static func endsWord(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Splits a name at underscores, hyphens and changes of case.
    ///
    /// A capital begins a word after anything but a capital, and after a capital if a small letter follows, so that an
    /// acronym is one word, also in the plural (`URLs`). Digits stay with the word before them. A name of nothing but
    /// underscores and hyphens is one word.
    package static func words(in name: String) -> [String] {
        let characters = Array(name)
        var words: [String] = []
        var word = ""
        for (index, character) in characters.enumerated() {
            if character == "_" || character == "-" {
                if !word.isEmpty { words.append(word) }
                word = ""
                continue
            }
            if character.isUppercase, !word.isEmpty,
                !characters[index - 1].isUppercase || beginsWordAfterAcronym(characters[(index + 1)...])
            {
                words.append(word)
                word = ""
            }
            word.append(character)
        }
        if !word.isEmpty { words.append(word) }
        return words.isEmpty ? [name] : words
    }

    /// Whether a capital that follows a capital begins a word, given what follows it.
    ///
    /// It does before a small letter (`HTTPServer`), unless that is the `s` of a plural (`URLs`, `userIDsOnly`).
    private static func beginsWordAfterAcronym(_ rest: ArraySlice<Character>) -> Bool {
        guard let next = rest.first, next.isLowercase else { return false }
        guard next == "s" else { return true }
        return rest.dropFirst().first?.isLowercase ?? false
    }
}
