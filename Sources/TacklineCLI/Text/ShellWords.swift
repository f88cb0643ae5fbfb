#if CommandLine
    /// A shell, with the rules by which its completion script reads and writes words.
    enum ShellWords: String {
        case bash, zsh, fish

        /// Returns a word quoted for ArgumentParser's script, so that the shell offers it and runs no part of it.
        /// Returns `nil` for a word that cannot be offered, such as one with a line end, since the script reads lines.
        func offer(_ word: String) -> String? {
            guard !word.isEmpty, !word.unicodeScalars.contains(where: Self.breaksLines) else { return nil }
            switch self {
            case .bash:
                // Bash inserts a completed word without escaping these characters or the text between them.
                if word.contains("$") || word.contains("`") || word.hasPrefix("~") { return nil }
                // `compgen -W` expands parameters and commands in its argument, but not in single quotes.
                return "'\(word.replacing("'", with: "'\\''"))'"
            case .zsh:
                // The script turns history expansion off while zsh quotes a word, so `!` is not quoted.
                if word.contains("!") { return nil }
                // `_describe` takes the text after a colon for a description.
                return word.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
            case .fish: return word
            }
        }

        /// Returns a word without its quotes and backslashes. Variables stay as they are.
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
