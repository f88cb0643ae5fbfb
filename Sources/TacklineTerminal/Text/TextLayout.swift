/// Functions that fit safe text into columns.
enum TextLayout {
    /// Returns the beginning of a text that fits, with an ellipsis if the text was cut.
    static func clipped(_ text: String, to width: Int, ellipsis: Character = "…") -> String {
        guard width > 0 else { return "" }
        if text.utf8.count <= width { return text }
        var used = 0
        // The end of the text if an ellipsis must follow.
        var end = text.startIndex
        for index in text.indices {
            let columns = CellWidth.of(text[index])
            if used + columns > width { return text[..<end] + String(ellipsis) }
            used += columns
            if used <= width - 1 { end = text.index(after: index) }
        }
        return text
    }

    /// Returns a text that is cut or padded with blanks to exactly a width.
    static func padded(_ text: String, to width: Int, ellipsis: Character = "…") -> String {
        let text = clipped(text, to: width, ellipsis: ellipsis)
        return text + String(repeating: " ", count: max(0, width - CellWidth.of(text)))
    }

    /// Returns a line broken into lines of at most a width, at blanks if possible.
    ///
    /// - Parameter limit: The largest number of lines. The last ends with an ellipsis if the text was cut.
    static func wrapped(
        _ line: String, to width: Int, limit: Int = .max, ellipsis: Character = "…"
    ) -> [String] {
        guard width > 0, limit > 0 else { return [] }
        var lines: [String] = []
        var rest = line[...]
        while CellWidth.of(rest, upTo: width + 1) > width {
            if lines.count == limit - 1 {
                lines.append(clipped(String(rest), to: width, ellipsis: ellipsis))
                return lines
            }
            var used = 0
            var end = rest.startIndex
            var breakpoint: String.Index?
            while end < rest.endIndex {
                let columns = CellWidth.of(rest[end])
                if used + columns > width { break }
                if rest[end] == " " { breakpoint = end }
                used += columns
                end = rest.index(after: end)
            }
            if end == rest.startIndex { end = rest.index(after: end) }
            if end < rest.endIndex, rest[end] == " " { breakpoint = end }
            if let breakpoint, breakpoint > rest.startIndex {
                lines.append(String(rest[..<breakpoint]))
                rest = rest[rest.index(after: breakpoint)...]
            } else {
                lines.append(String(rest[..<end]))
                rest = rest[end...]
            }
        }
        if !rest.isEmpty || lines.isEmpty { lines.append(String(rest)) }
        return lines
    }
}

extension CellWidth {
    /// Returns the number of columns of a text, or some number that is at least `limit` if the text is that wide.
    static func of(_ text: Substring, upTo limit: Int) -> Int {
        var sum = 0
        for character in text {
            sum += of(character)
            if sum >= limit { break }
        }
        return sum
    }
}
