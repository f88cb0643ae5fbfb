/// How the name of a property becomes the name in a key path.
///
/// Words are split as people read them: `allowsSSON` → `allows`, `sson`; `HTTPServerURL` → `http`, `server`, `url`;
/// `thirdLevelFlag2` → `third`, `level`, `flag2`. Letters of every script survive; those without a case stay as they
/// are.
public struct FlagKeyTransform: Sendable, Hashable {
    private enum Kind: Sendable, Hashable {
        case words(separator: String)
        case none
    }

    private let kind: Kind

    /// `allowsSSON` → `allows_sson`. The default.
    public static let snakeCase = FlagKeyTransform(kind: .words(separator: "_"))
    /// `allowsSSON` → `allows-sson`.
    public static let kebabCase = FlagKeyTransform(kind: .words(separator: "-"))
    /// `allowsSSON` → `allowsSSON`.
    public static let none = FlagKeyTransform(kind: .none)

    /// Returns the name as it stands in a key path.
    ///
    /// - Complexity: O(*n*) in the length of the name. Called once for each flag, when a loader is made.
    public func callAsFunction(_ name: String) -> String {
        switch kind {
        case .none:
            name
        case .words(let separator):
            FlagKeyTransform.words(in: name).map { $0.lowercased() }.joined(separator: separator)
        }
    }

    /// Splits a name at underscores, hyphens and changes of case.
    ///
    /// A capital begins a word after anything that is not a capital, and also after a capital if a small letter
    /// follows, so that an acronym is one word (`URLs` is one word too). Digits stay with the word before them. Words already separated by an
    /// underscore or a hyphen stay separate, and a name of nothing but those is one word.
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
            if isCapital(character), !word.isEmpty {
                let followsSmall = !isCapital(characters[index - 1])
                if followsSmall || beginsWordAfterAcronym(characters[(index + 1)...]) {
                    words.append(word)
                    word = ""
                }
            }
            word.append(character)
        }
        if !word.isEmpty { words.append(word) }
        return words.isEmpty ? [name] : words
    }

    /// Whether a capital inside a run of capitals begins a word, given what follows it.
    ///
    /// It does before a small letter (`HTTPServer`), unless that is the `s` of a plural (`URLs`, `userIDsOnly`).
    private static func beginsWordAfterAcronym(_ rest: ArraySlice<Character>) -> Bool {
        guard let next = rest.first, next.isLowercase else { return false }
        guard next == "s" else { return true }
        guard let afterNext = rest.dropFirst().first else { return false }
        return afterNext.isLowercase
    }

    private static func isCapital(_ character: Character) -> Bool {
        character.isUppercase
    }
}
