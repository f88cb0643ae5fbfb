extension SourceText {
    /// The literals that people can read as messages, or as parts of them: those of three words or more. Literals that
    /// are joined with `+` count as one.
    ///
    /// Literals of several lines, such as scripts and pages, are left out, and so are the help texts of the tool.
    var messages: [Literal] {
        var joined: [Literal] = []
        for literal in literals {
            if let last = joined.last, literal.start == last.end + 1, tokens[last.end].text == "+" {
                joined[joined.count - 1].text += literal.text
                joined[joined.count - 1].end = literal.end
            } else {
                joined.append(literal)
            }
        }
        return joined.filter { literal in
            guard !literal.text.contains("\n"), SourceText.hasThreeWords(literal.text) else { return false }
            let before = tokens[..<literal.start].suffix(2).map(\.text)
            let helps = [["help", ":"], ["abstract", ":"], ["discussion", ":"], ["ArgumentHelp", "("]]
            return !helps.contains(before)
        }
    }

    /// Returns whether at least three words are words of a language or interpolations.
    private static func hasThreeWords(_ text: String) -> Bool {
        text.split(separator: " ").count { word in
            let isLetter = word.map { $0.isASCII && $0.isLetter }
            return ["a", "A", "I"].contains(word) || word.contains("…")
                || zip(isLetter, isLetter.dropFirst()).contains { $0 && $1 }
        } >= 3
    }
}
