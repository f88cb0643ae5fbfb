#if CommandLine
    import ArgumentParser
    import TacklineCore
    import TacklineManifest
    import TacklineTargeting

    extension CompletionKind {
        /// A completion with the keys of the file that the command line names before them.
        static var flagKeys: CompletionKind {
            .custom { words, index, prefix in
                let shell = CompletionShell.requesting.flatMap { ShellWords(rawValue: $0.rawValue) }
                return CompletionKeys.offers(in: words, at: index, beginningWith: prefix, for: shell)
            }
        }
    }

    extension TacklineCommand {
        /// Returns the text for help, for the version, or for a shell's completion request.
        static func text(of request: any Error) -> String {
            let text = fullMessage(for: request)
            return BashScript.isOne(text) ? BashScript.completingWholeWords(text) : text
        }
    }

    /// The keys that a shell offers to complete a command.
    enum CompletionKeys {
        /// The largest number of keys that are offered.
        static let limit = 2_000

        /// Returns the keys in the form that a shell's completion script needs.
        ///
        /// - Parameters:
        ///   - words: The words of the command line so far.
        ///   - index: The number of the word to complete.
        ///   - prefix: The beginning of the key.
        ///   - shell: The shell that asks; `nil` for the plain keys.
        static func offers(
            in words: [String], at index: Int, beginningWith prefix: String, for shell: ShellWords?
        ) -> [String] {
            guard let shell else { return keys(in: words, beginningWith: prefix) }
            let typed = words.indices.contains(index) ? Array(words[..<index]) : words
            // A key that begins with a dash would be taken for an option, except after `--`.
            let takesDashes = typed.contains("--")
            // The shells compare the keys with the prefix themselves, each by its own rules.
            // Fish before version 4 removes the quotes itself.
            let words = typed.prefix(1) + typed.dropFirst().flatMap { [shell.unquoted($0), $0] }
            return keys(in: Array(words), beginningWith: "")
                .filter { takesDashes || !$0.hasPrefix("-") }.compactMap(shell.offer)
        }

        /// Returns the keys of the first word that names a file of values, definitions or a manifest; none if there is
        /// no such file.
        ///
        /// - Parameters:
        ///   - words: The words of the command line so far.
        ///   - prefix: The beginning of the key.
        static func keys(in words: [String], beginningWith prefix: String) -> [String] {
            for word in words.dropFirst() where word.contains(".") && !word.hasPrefix("-") {
                // A pipe or a device would keep the shell waiting.
                guard InputFile.isRegular(word), let file = try? FlagFile(path: word) else { continue }
                return Array(keys(of: file).filter { $0.hasPrefix(prefix) }.prefix(limit))
            }
            return []
        }

        private static func keys(of file: FlagFile) -> [String] {
            switch file.content {
            case .values: file.document.leafKeys
            case .flagd: ((try? file.definitions())?.flags.keys.sorted()) ?? []
            case .manifest: (try? FlagManifest(.object(file.members)))?.allFlags.map(\.key).sorted() ?? []
            }
        }
    }

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

    /// A correction of the completion script that ArgumentParser generates for bash.
    ///
    /// Bash splits words at the characters of `COMP_WORDBREAKS`, of which `:`, `=` and `@` are common in keys. The
    /// script counts the parts as arguments and finds no completion. A function around it joins the parts, and removes
    /// from the answers the text that bash keeps.
    enum BashScript {
        /// Returns whether a text is the script.
        static func isOne(_ text: String) -> Bool { text.hasPrefix("#!/bin/bash\n") }

        /// Returns the script with the function that joins the parts of words.
        static func completingWholeWords(_ script: String) -> String {
            script.replacing("\ncomplete -o filenames -F _tackline tackline", with: "\n" + wrapper)
        }

        private static let wrapper = #"""
            _tackline_whole_words() {
                local -a whole=()
                local -i index start=0 offset=0 current=0
                local rest="${COMP_LINE}" before="" last="" gap word
                for ((index = 0; index < ${#COMP_WORDS[@]}; index++)); do
                    word="${COMP_WORDS[index]}"
                    gap="${rest%%[![:space:]]*}"
                    if [[ ${index} -gt 0 && -z "${gap}" && ("${word}" =~ ^[:=@]+$ || "${last}" =~ ^[:=@]+$) ]]; then
                        whole[${#whole[@]} - 1]+="${word}"
                    else
                        whole+=("${word}")
                        [[ ${index} -le ${COMP_CWORD} ]] && start=$((offset + ${#gap}))
                    fi
                    [[ ${index} -eq ${COMP_CWORD} ]] && current=$((${#whole[@]} - 1))
                    offset+=$((${#gap} + ${#word}))
                    rest="${COMP_LINE:offset}"
                    last="${word}"
                done

                # What bash keeps of the word, in front of the part that it lets us complete.
                local typed="${2}"
                if [[ ${start} -lt ${COMP_POINT} ]]; then
                    before="${COMP_LINE:start:COMP_POINT - start}"
                    [[ "${before}" = *"${typed}" ]] && before="${before%"${typed}"}" || before=""
                    before="${before//[\\\"\']/}"
                fi
                local -a COMP_WORDS=("${whole[@]}")
                local -i COMP_CWORD=current
                _tackline "${1}" "${before}${typed}" "${COMP_WORDS[COMP_CWORD > 0 ? COMP_CWORD - 1 : 0]}"

                [[ -z "${before}" ]] && return
                for index in "${!COMPREPLY[@]}"; do
                    COMPREPLY[index]="${COMPREPLY[index]#"${before}"}"
                done
            }
            complete -o filenames -F _tackline_whole_words tackline
            """#
    }
#endif
