/// A text that is being edited, with a cursor.
struct TextEditor: Hashable, Sendable {
    /// The largest length of the text, in bytes of UTF-8.
    static let limit = 256 << 10

    private(set) var characters: [Character]
    /// The number of characters before the cursor.
    private(set) var cursor: Int
    private var byteCount: Int

    var text: String { String(characters) }

    init(_ text: String = "") {
        characters = Array(text)
        cursor = characters.count
        byteCount = text.utf8.count
    }

    /// Inserts text at the cursor.
    ///
    /// - Returns: `false`, with nothing changed, if the text would become too long.
    mutating func insert(_ text: String) -> Bool {
        guard byteCount + text.utf8.count <= Self.limit else { return false }
        let before = String(characters[..<cursor]) + text
        // Characters may combine: a mark joins the letter before it.
        let head = Array(before)
        characters.replaceSubrange(..<cursor, with: head)
        cursor = head.count
        byteCount += text.utf8.count
        return true
    }

    /// Handles a key that moves the cursor or deletes text.
    ///
    /// - Returns: Whether it was such a key.
    mutating func take(_ key: TerminalKey) -> Bool {
        switch key {
        case .backspace: erase(from: cursor - 1)
        case .delete, .control("d"): if cursor < characters.count { erase(cursor, upTo: cursor + 1) }
        case .left, .control("b"): cursor = max(0, cursor - 1)
        case .right, .control("f"): cursor = min(characters.count, cursor + 1)
        case .home, .control("a"): cursor = lineStart
        case .end, .control("e"): cursor = lineEnd
        case .control("u"): erase(from: lineStart)
        case .control("k"): erase(cursor, upTo: lineEnd)
        case .control("w"), .alternate("\u{7F}"): erase(from: wordStart)
        case .alternate("b"): cursor = wordStart
        default: return false
        }
        return true
    }

    /// Moves the cursor to the same column of the line above or below, or to the start or the end of the text if there
    /// is no such line.
    mutating func moveLine(by step: Int) {
        let column = cursor - lineStart
        if step < 0 {
            guard lineStart > 0 else { return cursor = 0 }
            cursor = lineStart - 1
        } else {
            guard lineEnd < characters.count else { return cursor = characters.count }
            cursor = lineEnd + 1
        }
        let start = lineStart
        cursor = min(start + column, lineEnd)
    }

    private var lineStart: Int {
        (characters[..<cursor].lastIndex(of: "\n") ?? -1) + 1
    }

    private var lineEnd: Int {
        characters[cursor...].firstIndex(of: "\n") ?? characters.count
    }

    private var wordStart: Int {
        var index = cursor
        while index > 0, !characters[index - 1].isLetter, !characters[index - 1].isNumber { index -= 1 }
        while index > 0, characters[index - 1].isLetter || characters[index - 1].isNumber { index -= 1 }
        return index
    }

    private mutating func erase(from start: Int) {
        erase(max(0, start), upTo: cursor)
        cursor = max(0, min(start, characters.count))
    }

    private mutating func erase(_ start: Int, upTo end: Int) {
        guard start < end else { return }
        byteCount -= characters[start..<end].reduce(0) { $0 + $1.utf8.count }
        characters.removeSubrange(start..<end)
    }
}
