#if CommandLine
    /// A shell, and how its completion script reads and writes words.
    enum ShellWords: String {
        case bash, zsh, fish

        /// A word as the script of ArgumentParser has to get it, so that the shell offers it and runs nothing of it; `nil`
        /// for one that cannot be offered, since the script reads lines.
        func offer(_ word: String) -> String? {
            guard !word.isEmpty, !word.unicodeScalars.contains(where: Self.breaksLines) else { return nil }
            switch self {
            case .bash:
                // Where bash puts a word into the line it escapes neither these nor what is between them.
                if word.contains("$") || word.contains("`") || word.hasPrefix("~") { return nil }
                // `compgen -W` expands what it gets: parameters, commands, all. In single quotes nothing is.
                return "'\(word.replacing("'", with: "'\\''"))'"
            case .zsh:
                // The script turns the history off while zsh quotes a word, so the mark is not quoted.
                if word.contains("!") { return nil }
                // `_describe` takes what follows a colon for a description.
                return word.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
            case .fish: return word
            }
        }

        /// What a word says that was typed with quotes and backslashes. Variables stay as they are.
        func unquoted(_ word: String) -> String {
            var result = ""
            var quote: Character?
            var isEscaped = false
            for character in word {
                if isEscaped {
                    if quote == "\"", !"\"\\$`".contains(character) { result.append("\\") }
                    result.append(character)
                    isEscaped = false
                } else if character == "\\", quote != "'" {
                    isEscaped = true
                } else if character == quote {
                    quote = nil
                } else if quote == nil, character == "'" || character == "\"" {
                    quote = character
                } else {
                    result.append(character)
                }
            }
            return result
        }

        private static func breaksLines(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: true
            default: false
            }
        }
    }
#endif
