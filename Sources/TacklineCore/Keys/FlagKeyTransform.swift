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
        let bytes = Array(name.utf8)
        // Unicode's tables take fifty times as long, and nearly every name is ASCII.
        if bytes.allSatisfy({ $0 < 0x80 }) {
            let words = words(of: bytes.map { Kind(Unicode.Scalar($0)) }).map {
                String(decoding: bytes[$0], as: UTF8.self)
            }
            return words.isEmpty ? [name] : words
        }
        let characters = Array(name)
        return words(of: characters.map(Kind.init)).map { String(characters[$0]) }
    }

    private static func words(of kinds: [Kind]) -> [Range<Int>] {
        var words: [Range<Int>] = []
        var start = 0
        for (index, kind) in kinds.enumerated() {
            let rest = kinds[(index + 1)...]
            // A lowercase letter ends an acronym (`HTTPServer`), unless it is the `s` of a plural (`URLs`, `userIDsOnly`).
            let endsAcronym =
                rest.first == .lowercase || rest.first == .plural && rest.dropFirst().first?.isLowercase == true
            let begins = kind == .uppercase && start < index && (kinds[index - 1] != .uppercase || endsAcronym)
            guard begins || kind == .separator else { continue }
            if start < index { words.append(start..<index) }
            start = kind == .separator ? index + 1 : index
        }
        return start < kinds.count ? words + [start..<kinds.count] : words
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
            default: self = .other
            }
        }

        init(_ character: Character) {
            if let letter = character.unicodeScalars.first, letter.isASCII, character.isASCII {
                self.init(letter)
            } else {
                self = character.isUppercase ? .uppercase : character.isLowercase ? .lowercase : .other
            }
        }
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
