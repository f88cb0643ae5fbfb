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
        let isLetter = { (byte: UInt8) in 0x61...0x7A ~= byte | 0x20 }
        return text.utf8.split(separator: UInt8(ascii: " ")).count { word in
            guard word.count > 1 else { return ["a", "A", "I"].contains { $0.utf8.elementsEqual(word) } }
            return zip(word, word.dropFirst()).contains { first, second in
                // The last bytes of the ellipsis in an interpolation.
                isLetter(first) && isLetter(second) || first == 0x80 && second == 0xA6
            }
        } >= 3
    }

    /// Returns the innermost call with a literal in an argument, and the label of the argument; `nil` if there is none,
    /// or if a closure, an array or a subscript stands between.
    func call(around literal: Literal) -> (name: String, label: String?)? {
        var depth = 0
        var start: Int?
        for place in tokens.indices[..<literal.start].reversed() {
            switch tokens[place].text {
            case ")", "]", "}": depth += 1
            case "(" where depth == 0:
                guard place > 0 else { return nil }
                let first = start ?? place + 1
                let hasLabel = first + 1 < literal.start && tokens[first + 1].text == ":"
                return (tokens[place - 1].text, hasLabel ? tokens[first].text : nil)
            case "[" where depth == 0, "{" where depth == 0: return nil
            case "(", "[", "{": depth -= 1
            case "," where depth == 0: start = start ?? place + 1
            default: break
            }
        }
        return nil
    }

    /// Returns the arguments of the calls of a function or initializer, with the line of each call, as lists of tokens
    /// without the parentheses.
    func calls(of name: String) -> [(line: Int, arguments: [String])] {
        zip(tokens.indices, tokens.indices.dropFirst()).compactMap { place, next -> (line: Int, arguments: [String])? in
            guard tokens[place].text == name, tokens[next].text == "(" else { return nil }
            var depth = 1
            let arguments = tokens[(next + 1)...].prefix { token in
                if token.text == "(" { depth += 1 }
                if token.text == ")" { depth -= 1 }
                return depth > 0
            }
            return (tokens[place].line, arguments.map(\.text))
        }
    }
}
