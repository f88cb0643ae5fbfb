#if CommandLine
    import TacklineCore
    import TacklineManifest
    import TacklineTargeting

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
            return keys(in: typed.map(shell.unquoted), beginningWith: "")
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
                guard let input = try? InputFile(path: word), let file = try? FlagFile(input) else { continue }
                return Array(keys(of: file).filter { $0.hasPrefix(prefix) }.prefix(limit))
            }
            return []
        }

        private static func keys(of file: FlagFile) -> [String] {
            switch file.content {
            case .values: file.leafKeys
            case .flagd: ((try? file.definitions())?.flags.keys.sorted()) ?? []
            case .manifest: (try? FlagManifest(.object(file.members)))?.allFlags.map(\.key).sorted() ?? []
            }
        }
    }
#endif
