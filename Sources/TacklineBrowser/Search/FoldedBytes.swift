/// A folded text as UTF-8, in which words are found byte by byte.
struct FoldedBytes: Sendable {
    /// Where in a text a word stands, the best first.
    enum Place: Int {
        case whole, beginning, beginningOfWord, inside
    }

    private let bytes: [UInt8]

    init(_ text: String) { self.init(folded: FoldedText.fold(text)) }

    init(folded text: String) { bytes = Array(text.utf8) }

    /// The best place of a word; `nil` if it is nowhere.
    func place(of word: FoldedBytes) -> Place? {
        guard let first = word.bytes.first, word.bytes.count <= bytes.count else { return nil }
        var best: Place?
        for start in 0...(bytes.count - word.bytes.count)
        where bytes[start] == first && bytes[start...].starts(with: word.bytes) {
            if start == 0 { return word.bytes.count == bytes.count ? .whole : .beginning }
            if !FoldedBytes.isOfWord(bytes[start - 1]) { return .beginningOfWord }
            best = .inside
        }
        return best
    }

    /// A letter or a digit, as which everything that is not ASCII counts.
    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x61...0x7A, 0x80...: true
        default: false
        }
    }
}
