/// The conversion of a property's name to a component of a key path.
///
/// The transform splits a name into words, converts them to lower case and joins them:
///
/// ```swift
/// import Tackline
///
/// print(FlagKeyTransform.snakeCase("allowsSSON"))       // allows_sson
/// print(FlagKeyTransform.snakeCase("HTTPServerURL"))    // http_server_url
/// print(FlagKeyTransform.snakeCase("thirdLevelFlag2"))  // third_level_flag2
/// ```
///
/// Letters of every script are kept. Letters without case don't change.
public struct FlagKeyTransform: Sendable, Equatable {
    // `nil` for the transform that changes nothing.
    private let separator: String?
    // In RealFlags, a word begins only at an ASCII capital after a lowercase letter or a digit.
    private var recognizesAcronyms = true

    /// Snake case, the default: `allowsSSON` becomes `allows_sson`.
    public static let snakeCase = FlagKeyTransform(separator: "_")
    /// Kebab case: `allowsSSON` becomes `allows-sson`.
    public static let kebabCase = FlagKeyTransform(separator: "-")
    /// No conversion: `allowsSSON` stays `allowsSSON`.
    public static let none = FlagKeyTransform(separator: nil)
    /// Snake case as RealFlags produces it.
    package static let snakeCaseOfRealFlags = FlagKeyTransform(separator: "_", recognizesAcronyms: false)
    /// Kebab case as RealFlags produces it.
    package static let kebabCaseOfRealFlags = FlagKeyTransform(separator: "-", recognizesAcronyms: false)

    /// Returns the component of a key path for the name of a property.
    ///
    /// - Complexity: O(*n*), where *n* is the length of the name. A loader transforms each name once.
    public func callAsFunction(_ name: String) -> String {
        guard let separator else { return name }
        let words = recognizesAcronyms ? FlagKeyTransform.words(in: name) : FlagKeyTransform.wordsOfRealFlags(in: name)
        return words.joined(separator: separator).lowercased()
    }

    /// Returns the words of a name, which underscores, hyphens, spaces and changes of case separate.
    ///
    /// A capital letter begins a word in two cases: if the character before it is not a capital letter, or if a
    /// lowercase letter follows. An acronym is therefore one word, and so is its plural (`URLs`). Digits belong to the
    /// word before them. A name that has only underscores and hyphens is one word.
    package static func words(in name: String) -> [String] {
        var words: [Substring] = []
        var start = name.startIndex
        var last: Character?
        for (index, character) in zip(name.indices, name) {
            if character == "_" || character == "-" || character.isWhitespace {
                words.append(name[start..<index])
                start = name.index(after: index)
            } else if start < index, character.isUppercase,
                last?.isUppercase != true || beginsWordAfterAcronym(name[index...].dropFirst())
            {
                words.append(name[start..<index])
                start = index
            }
            last = character
        }
        words.append(name[start...])
        words.removeAll(where: \.isEmpty)
        return words.isEmpty ? [name] : words.map(String.init)
    }

    /// Returns whether a capital letter begins a word although another capital letter precedes it.
    ///
    /// It does if a lowercase letter follows (`HTTPServer`), unless that letter is the `s` of a plural (`URLs`,
    /// `userIDsOnly`).
    ///
    /// - Parameter rest: The characters after the capital letter.
    private static func beginsWordAfterAcronym(_ rest: Substring) -> Bool {
        guard let next = rest.first, next.isLowercase else { return false }
        return next != "s" || rest.dropFirst().first?.isLowercase ?? false
    }

    /// Returns the words of a name as RealFlags splits it.
    private static func wordsOfRealFlags(in name: String) -> [String] {
        var words: [Substring] = []
        var start = name.startIndex
        var last: Character?
        for (index, character) in zip(name.indices, name) {
            if "A"..."Z" ~= character, let last, "a"..."z" ~= last || "0"..."9" ~= last {
                words.append(name[start..<index])
                start = index
            }
            last = character
        }
        return (words + [name[start...]]).map(String.init)
    }
}
