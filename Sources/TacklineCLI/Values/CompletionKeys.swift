#if CommandLine
    import TacklineCore
    import TacklineManifest
    import TacklineTargeting

    /// The keys that a shell offers while a command is typed.
    enum CompletionKeys {
        /// More than a person looks through.
        static let limit = 2_000

        /// The keys as a shell's completion script takes them.
        ///
        /// - Parameters:
        ///   - words: The command line as far as it is typed.
        ///   - index: The number of the word that is completed.
        ///   - prefix: What is typed of the key.
        ///   - shell: Who asks; `nil` for the keys as they are.
        static func offers(
            in words: [String], at index: Int, beginningWith prefix: String, for shell: ShellWords?
        ) -> [String] {
            guard let shell else { return keys(in: words, beginningWith: prefix) }
            let typed = words.indices.contains(index) ? Array(words[..<index]) : words
            // A key that begins with a dash is an option, unless options have ended.
            let takesDashes = typed.contains("--")
            // The shells compare it with what is typed, in their own ways.
            return keys(in: typed.map(shell.unquoted), beginningWith: "")
                .filter { takesDashes || !$0.hasPrefix("-") }.compactMap(shell.offer)
        }

        /// The keys of the first word that is a file of values, definitions or a manifest; none if there is no such file.
        ///
        /// - Parameters:
        ///   - words: The command line as far as it is typed.
        ///   - prefix: What is typed of the key.
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
