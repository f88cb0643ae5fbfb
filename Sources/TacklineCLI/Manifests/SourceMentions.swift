#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineManifest

    /// The words and the quoted texts that occur in the source files of folders.
    struct SourceMentions {
        /// The words outside of comments and plain strings, other than names at their declaration.
        private(set) var words: Set<String> = []
        /// The texts in quotes.
        private(set) var texts: Set<String> = []
        /// The number of files that were read.
        private(set) var fileCount = 0
        /// A line for each file or folder that was skipped.
        private(set) var remarks: [String] = []

        /// Reads the source files of folders.
        ///
        /// - Throws: If a folder cannot be listed.
        init(folders: [String], progress: ProgressReport) throws(CommandFailure) {
            let files = try SourceFiles(folders: folders)
            let skipped = files.read(progress) { _, bytes in
                fileCount += 1
                var scanner = SourceScanner(bytes)
                scanner.scan(words: &words, texts: &texts)
            }
            remarks = files.remarks + skipped
        }

        /// Returns whether a flag is mentioned: by the name of its property, other than at the declaration, or by its
        /// key in quotes.
        func mentions(_ flag: FlagManifest.Entry) -> Bool {
            if let name = flag.property.split(separator: ".").last, words.contains(String(name)) { return true }
            return texts.contains(flag.key)
        }
    }
#endif
