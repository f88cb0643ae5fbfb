#if CommandLine
    /// A line of Swift in which a flag is fixed to a value, and what remains of the line.
    ///
    /// It knows words, texts and operators, and no other syntax: conditions with `!`, `&&`, `||`, `==` and `? :` are worked
    /// out as far as the line goes.
    struct FixedLine {
        private var tokens: [Token] = []
        /// The number of the token that stands for the flag, or `nil` if it is worked out.
        private var place: Int?

        private struct Token {
            var space: String
            var text: String
            let offset: Int
        }

        /// The words after which an expression begins.
        private static let openings: Set = [
            "(", ",", "{", "=", ":", "?", "[", "&&", "||", "if", "guard", "while", "return", "else", "switch", "in",
            ";",
        ]
        /// The tokens before which an expression ends.
        private static let endings: Set = [")", ",", "{", "}", ":", "?", "&&", "||", "]", ";", "else"]

        /// Creates a line.
        ///
        /// - Parameters:
        ///   - line: The line in UTF-8.
        ///   - column: The byte at which the flag's property is named.
        ///   - value: The value as Swift.
        init(_ line: [UInt8], column: Int, value: String) {
            tokens = FixedLine.tokens(of: line)
            guard let index = tokens.firstIndex(where: { $0.offset == column }) else { return }
            let first = beginning(ofMemberAt: index)
            let space = tokens[first].space
            tokens.replaceSubrange(first...index, with: [Token(space: space, text: value, offset: column)])
            place = first
            // Each step removes a token.
            while step() {}
        }

        /// A description of what remains.
        var remains: String {
            guard let place else { return text }
            let (before, value, after) = (token(place - 1), tokens[place].text, token(place + 1))
            let isList = after == "{" || after == "," || after == "else"
            switch (isList ? condition(before: place) : before, value) {
            case ("if", "true"): return "the body of this if; its else goes"
            case ("if", "false"): return "the else of this if, or nothing"
            case ("guard", "true"): return "nothing: the guard goes"
            case ("guard", "false"): return "the body of the guard; what follows goes"
            case ("while", "false"): return "nothing: the loop goes"
            case ("switch", _): return "the case of \(value)"
            default: return text
            }
        }

        /// The line without the space around it.
        private var text: String {
            var text = tokens.first?.text ?? ""
            for token in tokens.dropFirst() { text += token.space + token.text }
            return text
        }

        private func token(_ index: Int) -> String? { tokens.indices.contains(index) ? tokens[index].text : nil }

        /// Returns the word with which a condition begins, if it is alone or in a list of which `false` decides.
        private func condition(before index: Int) -> String? {
            guard token(index - 1) == "," else { return token(index - 1) }
            return tokens[index].text == "false"
                ? tokens[..<index].last { ["if", "guard", "while"].contains($0.text) }?.text : nil
        }

        // MARK: Tokens

        private static func tokens(of line: [UInt8]) -> [Token] {
            let pairs = ["&&", "||", "==", "!=", "??", "->", "<=", ">="].map { Array($0.utf8) }
            var tokens: [Token] = []
            var position = 0
            var space = ""
            while position < line.count {
                let start = position
                let rest = line[start...]
                if line[start] <= 0x20 {
                    position += 1
                    space += line[start] == 0x0D ? "" : " "
                    continue
                }
                if rest.starts(with: "//".utf8) {
                    position = line.count
                } else if line[start] == UInt8(ascii: "\"") {
                    position += 1
                    while position < line.count, line[position] != UInt8(ascii: "\"") {
                        position += line[position] == UInt8(ascii: "\\") ? 2 : 1
                    }
                    position = min(position + 1, line.count)
                } else if SourceScanner.isWord(line[start]) {
                    while position < line.count, SourceScanner.isWord(line[position]) { position += 1 }
                } else if let pair = pairs.first(where: { rest.starts(with: $0) }) {
                    position += pair.count
                } else {
                    position += 1
                }
                let text = String(decoding: line[start..<position], as: UTF8.self)
                tokens.append(Token(space: space, text: text, offset: start))
                space = ""
            }
            return tokens
        }

        /// Returns the number of the token with which `a.b(c).flag` begins.
        private func beginning(ofMemberAt index: Int) -> Int {
            var first = index
            while first > 1, token(first - 1) == "." {
                var before = first - 2
                if ["?", "!"].contains(token(before)) { before -= 1 }
                if [")", "]"].contains(token(before)) { before = reach(before, by: -1) { _ in false } - 2 }
                guard before >= 0, tokens[before].text.utf8.first.map(SourceScanner.isWord) == true else {
                    return first
                }
                first = before
            }
            return first
        }

        // MARK: Steps

        /// Works out one operator, and returns whether there may be another one.
        private mutating func step() -> Bool {
            guard let index = place else { return false }
            let (value, before, after) = (tokens[index].text, token(index - 1), token(index + 1))
            if let compared = comparison(at: index) {
                replace(compared.range, with: compared.isEqual ? "true" : "false")
                return true
            }
            guard value == "true" || value == "false" else { return false }
            let isTrue = value == "true"
            if before == "!" {
                replace(index - 1...index, with: isTrue ? "false" : "true")
                return true
            }
            if before == "(", after == ")", opens(index - 2) || token(index - 2) == "!" {
                replace(index - 1...index + 1, with: value)
                return true
            }
            guard opens(index - 1), ends(index + 1) else { return false }
            if after == "&&" || before == "&&" { return join("&&", index, isNeutral: isTrue) }
            if after == "||" || before == "||" { return join("||", index, isNeutral: !isTrue) }
            if after == "?" { return choose(index, isTrue) }
            guard isTrue else { return false }
            if after == ",", ["if", "guard", "while", ","].contains(before), isCondition(index) {
                remove(index...index + 1)
                return false
            }
            if before == ",", after == "{" || after == "else", isCondition(index) {
                remove(index - 1...index)
                return false
            }
            return false
        }

        /// Whether an expression begins after a token.
        private func opens(_ index: Int) -> Bool { token(index).map(Self.openings.contains) ?? true }
        /// Whether an expression ends before a token.
        private func ends(_ index: Int) -> Bool {
            token(index).map { Self.endings.contains($0) || $0.hasPrefix("//") } ?? true
        }

        /// Returns whether a token is in the list of conditions of a statement.
        private func isCondition(_ index: Int) -> Bool {
            let statements: Set = ["if", "guard", "while"]
            return token(reach(index, by: -1, until: statements.contains) - 1).map(statements.contains) ?? false
        }

        /// Returns the last token of those behind or before one, without the contents of brackets, until one at which a
        /// closure returns `true` or until the brackets around them end.
        ///
        /// - Parameter step: 1 for the tokens behind, and -1 for those before.
        private func reach(_ start: Int, by step: Int, until isEnd: (String) -> Bool) -> Int {
            var (index, depth) = (start, 0)
            while let text = token(index + step) {
                if depth == 0, isEnd(text) { break }
                let turn = ["(", "[", "{"].contains(text) ? 1 : [")", "]", "}"].contains(text) ? -1 : 0
                depth += turn * step
                if depth < 0 { break }
                index += step
            }
            return index
        }

        /// Returns the comparison of the value with another literal.
        private func comparison(at index: Int) -> (range: ClosedRange<Int>, isEqual: Bool)? {
            for (operation, other) in [(index + 1, index + 2), (index - 1, index - 2)] {
                guard let sign = token(operation), ["==", "!="].contains(sign), let literal = token(other),
                    isLiteral(literal), opens(min(index, other) - 1), ends(max(index, other) + 1)
                else { continue }
                return (min(index, other)...max(index, other), (literal == tokens[index].text) == (sign == "=="))
            }
            return nil
        }

        private func isLiteral(_ text: String) -> Bool {
            text == "true" || text == "false" || text.hasPrefix("\"") || text.allSatisfy(\.isNumber)
        }

        /// Joins the value with its neighbour: a neutral one goes, and another one decides.
        private mutating func join(_ operation: String, _ index: Int, isNeutral: Bool) -> Bool {
            let isBefore = token(index + 1) == operation
            if isNeutral {
                remove(isBefore ? index...index + 1 : index - 1...index)
                return false
            }
            // `||` binds weaker than `&&`.
            func isStop(_ text: String, _ stops: Set<String>) -> Bool {
                stops.contains(text) && text != operation && !(operation == "||" && text == "&&")
            }
            let other =
                isBefore
                ? reach(index, by: 1) { isStop($0, Self.endings) || $0.hasPrefix("//") }
                : reach(index, by: -1) { isStop($0, Self.openings) }
            replace(min(index, other)...max(index, other), with: tokens[index].text)
            return true
        }

        /// Takes a side of `value ? a : b`, and returns whether anything is left to do.
        private mutating func choose(_ index: Int, _ isTrue: Bool) -> Bool {
            var nesting = 0
            let colon =
                1
                + reach(index + 1, by: 1) { text in
                    if text == ":", nesting == 0 { return true }
                    nesting += text == "?" ? 1 : text == ":" ? -1 : 0
                    return false
                }
            guard token(colon) == ":", colon > index + 2 else { return false }
            let end = reach(colon, by: 1) { [",", ";"].contains($0) || $0.hasPrefix("//") }
            guard end > colon else { return false }
            let space = tokens[index].space
            var side = Array(isTrue ? tokens[index + 2..<colon] : tokens[colon + 1...end])
            side[0].space = space
            tokens.replaceSubrange(index...end, with: side)
            place = nil
            return false
        }

        private mutating func replace(_ range: ClosedRange<Int>, with text: String) {
            let first = tokens[range.lowerBound]
            tokens.replaceSubrange(range, with: [Token(space: first.space, text: text, offset: first.offset)])
            place = range.lowerBound
        }

        private mutating func remove(_ range: ClosedRange<Int>) {
            let space = tokens[range.lowerBound].space
            tokens.removeSubrange(range)
            // What followed the value takes its place.
            if tokens.indices.contains(range.lowerBound), place == range.lowerBound {
                tokens[range.lowerBound].space = space
            }
            place = nil
        }
    }
#endif
