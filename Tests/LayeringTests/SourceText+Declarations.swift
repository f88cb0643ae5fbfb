extension SourceText {
    /// A type, protocol or type alias that is declared outside of every brace.
    struct Declaration: Equatable {
        let name: String
        let access: String
    }

    private static let keywords: Set = ["struct", "class", "enum", "actor", "protocol", "typealias"]
    private static let accesses: Set = ["public", "open", "package", "internal", "fileprivate", "private"]

    /// The types that the file declares at its top, extensions left out.
    var topLevelTypes: [Declaration] {
        var found: [Declaration] = []
        for (place, token) in tokens.enumerated()
        where token.depth == 0 && SourceText.keywords.contains(token.text) && place + 1 < tokens.count {
            let name = tokens[place + 1].text
            guard name.first?.isUppercase == true else { continue }
            // Modifiers stand right before the keyword.
            let modifiers = tokens[..<place].suffix(3).reversed().prefix { $0.text.first?.isLowercase == true }
            let access = modifiers.first { SourceText.accesses.contains($0.text) }?.text
            found.append(Declaration(name: name, access: access ?? "internal"))
        }
        return found
    }

    /// The modules that the file imports.
    var imports: Set<String> {
        var modules: Set<String> = []
        for (place, token) in tokens.enumerated() where token.text == "import" && place + 1 < tokens.count {
            modules.insert(tokens[place + 1].text)
        }
        return modules
    }

    /// Attributes with their sign, such as `@testable`.
    var attributes: [String] {
        zip(tokens, tokens.dropFirst()).filter { $0.0.text == "@" }.map { "@\($1.text)" }
    }
}
