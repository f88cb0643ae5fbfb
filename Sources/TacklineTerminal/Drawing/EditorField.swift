/// The visible part of a text editor, with the place of its cursor.
struct EditorField: Hashable, Sendable {
    /// The visible lines, at most as many as the given rows.
    private(set) var lines: [String] = []
    private(set) var cursor = Place(row: 0, column: 0)

    struct Place: Hashable, Sendable {
        var row: Int
        var column: Int
    }

    /// Lays out a text with a row for each of its lines, shifted so that the cursor is visible.
    ///
    /// - Complexity: O(*n*) in the length of the text to find its lines. Only the visible lines are measured.
    init(_ editor: TextEditor, width: Int, rows: Int, glyphs: Glyphs) {
        let characters = editor.characters
        // A field of one row shows line feeds as signs.
        let isSingle = rows == 1
        var starts = [0]
        if !isSingle {
            for (index, character) in characters.enumerated() where character.isNewline { starts.append(index + 1) }
        }
        let current = (starts.lastIndex { $0 <= editor.cursor }) ?? 0
        let first = max(0, min(current - rows / 2, starts.count - rows))
        for line in first..<min(starts.count, first + rows) {
            let end = line + 1 < starts.count ? starts[line + 1] - 1 : characters.count
            let isCurrent = line == current
            let (text, column) = Self.visible(
                characters[starts[line]..<end], cursor: isCurrent ? editor.cursor : nil, width: width, glyphs: glyphs)
            if isCurrent { cursor = Place(row: line - first, column: column) }
            lines.append(text)
        }
    }

    /// Returns the visible part of one line.
    ///
    /// - Returns: The visible text, and the column of the cursor in it.
    private static func visible(
        _ characters: ArraySlice<Character>, cursor: Int?, width: Int, glyphs: Glyphs
    ) -> (String, Int) {
        let width = max(2, width)
        func shown(_ character: Character) -> String {
            character.isNewline ? glyphs.lineEnd : glyphs.safe(String(character))
        }
        // The search begins at the cursor and goes left as far as there is room, so that only visible characters are
        // measured.
        var start = cursor ?? characters.startIndex
        var before = 0
        while start > characters.startIndex {
            let columns = CellWidth.of(shown(characters[start - 1]))
            if before + columns > width - 2 { break }
            before += columns
            start -= 1
        }
        var text = ""
        var used = 0
        for character in characters[start...] {
            let part = shown(character)
            let columns = CellWidth.of(part)
            if used + columns > width - 1 {
                text.append(glyphs.ellipsis)
                break
            }
            text += part
            used += columns
        }
        return (text, before)
    }
}
