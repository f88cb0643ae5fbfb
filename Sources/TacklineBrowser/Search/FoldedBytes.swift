/// A folded text as UTF-8, which is searched byte by byte.
struct FoldedBytes: Sendable {
    /// The place of a word in a text, best first.
    enum Place: Int {
        case whole, beginning, beginningOfWord, inside
    }

    private let bytes: [UInt8]

    init(_ text: String) { self.init(folded: FoldedText.fold(text)) }

    init(folded text: String) { bytes = Array(text.utf8) }

    /// Returns the best place of a word, or `nil` if it isn't found.
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

    /// Returns whether a byte belongs to a letter or a digit. Every byte that is not ASCII counts as one.
    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x61...0x7A, 0x80...: true
        default: false
        }
    }
}
