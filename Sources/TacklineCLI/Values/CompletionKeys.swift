#if CommandLine
    import TacklineCore
    import TacklineManifest
    import TacklineTargeting

    /// The keys that a shell offers while a command is typed.
    enum CompletionKeys {
        /// More than a person looks through.
        static let limit = 2_000

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
