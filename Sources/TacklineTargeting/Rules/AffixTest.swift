/// A `starts_with` or `ends_with` whose second argument is known when the rule is compiled.
final class AffixTest: Sendable {
    let affix: String
    let isPrefix: Bool
    /// The attribute whose text is tested, where that is what the first argument asks for.
    let attribute: String?

    init(affix: String, isPrefix: Bool, attribute: String?) {
        self.affix = affix
        self.isPrefix = isPrefix
        self.attribute = attribute
    }

    @inline(__always)
    func holds(for text: String) -> Bool { Self.has(text, affix, isPrefix: isPrefix) }

    /// Compares code units, as every other evaluator does.
    @inline(__always)
    static func has(_ text: String, _ affix: String, isPrefix: Bool) -> Bool {
        let count = affix.utf8.count
        let textCount = text.utf8.count
        guard count <= textCount else { return false }
        return text.withUTF8Bytes { text in
            affix.withUTF8Bytes { affix in
                let offset = isPrefix ? 0 : textCount - count
                for position in 0..<count where text[offset + position] != affix[position] { return false }
                return true
            }
        }
    }
}
