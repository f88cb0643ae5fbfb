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
        return fastJoinedWords(of: name, separator: separator)
            ?? FlagKeyTransform.words(in: name).map { $0.lowercased() }.joined(separator: separator)
    }

    /// Returns the words of a name, joined by the separator, or `nil` if the general method is needed.
    ///
    /// Unicode's case mapping takes a hundred times as long. The fast method covers ASCII names without underscores,
    /// hyphens and acronyms, which nearly all names are. For the transforms of RealFlags it covers all names.
    private func fastJoinedWords(of name: String, separator: String) -> String? {
        // Not a string with this capacity, which would stay on the heap however short it is.
        let capacity = name.utf8.count * (1 + separator.utf8.count)
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { text in
            var count = 0
            func append(_ byte: UInt8) {
                unsafe text.initializeElement(at: count, to: byte)
                count += 1
            }
            var last: UInt8 = 0
            var isASCII = true
            for byte in name.utf8 {
                let isUpper = FlagKeyTransform.isUppercase(byte)
                isASCII = isASCII && byte < 0x80
                if recognizesAcronyms {
                    let isSeparator =
                        byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: " ")
                    guard isASCII, !isSeparator, !isUpper || !FlagKeyTransform.isUppercase(last) else { return nil }
                }
                if isUpper, recognizesAcronyms ? last != 0 : FlagKeyTransform.isLowercaseOrDigit(last) {
                    for byte in separator.utf8 { append(byte) }
                }
                append(isUpper ? byte | 0x20 : byte)
                last = byte
            }
            let joined = unsafe String(decoding: text[..<count], as: UTF8.self)
            return isASCII ? joined : joined.lowercased()
        }
    }

    private static func isUppercase(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
    private static func isLowercaseOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Returns the words of a name, which underscores, hyphens, spaces and changes of case separate.
    ///
    /// A capital letter begins a word in two cases: if the character before it is not a capital letter, or if a
    /// lowercase letter follows. An acronym is therefore one word, and so is its plural (`URLs`). Digits belong to the
    /// word before them. A name that has only underscores and hyphens is one word.
    package static func words(in name: String) -> [String] {
        let characters = Array(name)
        var words: [String] = []
        var word = ""
        for (index, character) in characters.enumerated() {
            if character == "_" || character == "-" || character.isWhitespace {
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

    /// Returns whether a capital letter begins a word although another capital letter precedes it.
    ///
    /// It does if a lowercase letter follows (`HTTPServer`), unless that letter is the `s` of a plural (`URLs`,
    /// `userIDsOnly`).
    ///
    /// - Parameter rest: The characters after the capital letter.
    private static func beginsWordAfterAcronym(_ rest: ArraySlice<Character>) -> Bool {
        guard let next = rest.first, next.isLowercase else { return false }
        guard next == "s" else { return true }
        return rest.dropFirst().first?.isLowercase ?? false
    }
}
