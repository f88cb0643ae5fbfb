extension SourceText {
    /// A declaration's name and access level.
    struct Declaration: Equatable {
        let name: String
        let access: String
    }

    private static let keywords: Set = ["struct", "class", "enum", "actor", "protocol", "typealias"]
    private static let accesses: Set = ["public", "open", "package", "internal", "fileprivate", "private"]

    /// The types, protocols and type aliases that the file declares outside of every brace, without extensions.
    var topLevelTypes: [Declaration] {
        var found: [Declaration] = []
        for (place, token) in tokens.enumerated()
        where token.depth == 0 && SourceText.keywords.contains(token.text) && place + 1 < tokens.count {
            let name = tokens[place + 1].text
            guard name.first?.isUppercase == true else { continue }
            let access = modifiers(before: place).first(where: SourceText.accesses.contains)
            found.append(Declaration(name: name, access: access ?? "internal"))
        }
        return found
    }

    /// Returns the instance properties and methods that the file declares in a class or in its extensions.
    ///
    /// - Parameter name: The name of a protocol. Extensions that are constrained to it are left out.
    func members(of type: String, unlessConstrainedTo name: String? = nil) -> [Declaration] {
        var found: [Declaration] = []
        for (place, token) in tokens.enumerated().dropLast()
        where token.depth == 0 && ["class", "extension"].contains(token.text) && tokens[place + 1].text == type {
            let head = tokens[(place + 2)...].prefix { $0.depth == 0 }
            if let name, head.contains(where: { $0.text == name }) { continue }
            let inherited =
                token.text == "extension" ? modifiers(before: place).first(where: SourceText.accesses.contains) : nil
            let body = tokens[(place + 2)...].drop { $0.depth == 0 }.prefix { $0.depth > 0 }
            for member in body.indices.dropLast()
            where body[member].depth == 1 && ["var", "let", "func"].contains(body[member].text) {
                let modifiers = modifiers(before: member)
                if modifiers.contains("static") || modifiers.contains("class") { continue }
                let access = modifiers.first(where: SourceText.accesses.contains) ?? inherited ?? "internal"
                found.append(Declaration(name: body[member + 1].text, access: access))
            }
        }
        return found
    }

    /// Returns the modifiers of a declaration in their order.
    private func modifiers(before place: Int) -> [String] {
        let known = SourceText.accesses.union([
            "static", "class", "final", "lazy", "weak", "unowned", "nonisolated", "indirect", "override", "(", "set",
            ")",
        ])
        return tokens[..<place].reversed().prefix { known.contains($0.text) }.reversed().map(\.text)
    }

    /// The modules that the file imports.
    var imports: Set<String> {
        var modules: Set<String> = []
        for (place, token) in tokens.enumerated() where token.text == "import" && place + 1 < tokens.count {
            modules.insert(tokens[place + 1].text)
        }
        return modules
    }

    /// The attributes, such as `@testable`.
    var attributes: [String] {
        zip(tokens, tokens.dropFirst()).filter { $0.0.text == "@" }.map { "@\($1.text)" }
    }
}
