/// How the name of a property becomes a name in a key path.
///
/// A name is split into words: `allowsSSON` → `allows`, `sson`; `HTTPServerURL` → `http`, `server`, `url`;
/// `thirdLevelFlag2` → `third`, `level`, `flag2`. Letters of every script are kept; those without case are not changed.
public struct FlagKeyTransform: Sendable, Hashable {
    /// What stands between two words; `nil` to leave names as they are.
    private let separator: String?

    /// `allowsSSON` → `allows_sson`. The default.
    public static let snakeCase = FlagKeyTransform(separator: "_")
    /// `allowsSSON` → `allows-sson`.
    public static let kebabCase = FlagKeyTransform(separator: "-")
    /// `allowsSSON` → `allowsSSON`.
    public static let none = FlagKeyTransform(separator: nil)

    /// Returns the name for a key path.
    ///
    /// - Complexity: O(*n*) in the length of the name. A loader calls it once for each flag.
    public func callAsFunction(_ name: String) -> String {
        guard let separator else { return name }
        return FlagKeyTransform.joinedWords(ofASCII: name, separator: separator)
            ?? FlagKeyTransform.words(in: name).map { $0.lowercased() }.joined(separator: separator)
    }

    /// Does the same for a name in ASCII without underscores and hyphens; `nil` for others.
    ///
    /// Nearly all names are of that sort, and Unicode's case mapping takes a hundred times as long.
    private static func joinedWords(ofASCII name: String, separator: String) -> String? {
        var name = name
        return name.withUTF8 { bytes -> String? in
            var text: [UInt8] = []
            text.reserveCapacity(bytes.count + 8)
            for (index, byte) in bytes.enumerated() {
                guard byte < 0x80, byte != UInt8(ascii: "_"), byte != UInt8(ascii: "-") else { return nil }
                let isUpper = isCapital(byte)
                if isUpper, index > 0, !isCapital(bytes[index - 1]) || beginsWordAfterAcronym(bytes[(index + 1)...]) {
                    text += separator.utf8
                }
                text.append(isUpper ? byte | 0x20 : byte)
            }
            return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
        }
    }

    private static func isCapital(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
    private static func isSmall(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }

    private static func beginsWordAfterAcronym(_ rest: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard let next = rest.first, isSmall(next) else { return false }
        guard next == UInt8(ascii: "s") else { return true }
        return rest.dropFirst().first.map(isSmall) ?? false
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
