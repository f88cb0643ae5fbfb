#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineManifest

    /// Which words, and which quoted texts, the source files in folders mention.
    struct SourceMentions {
        /// Words that stand elsewhere than where something of that name is declared, and not in a comment.
        private(set) var words: Set<String> = []
        /// Texts in quotes.
        private(set) var texts: Set<String> = []
        /// How many files were read.
        private(set) var fileCount = 0
        /// What was passed over, a line each.
        private(set) var remarks: [String] = []

        private static let endings: Set = ["swift", "m", "mm", "h", "kt", "java", "js", "ts", "storyboard", "xib"]
        private static let sizeLimit = 4 << 20
        private static let fileLimit = 200_000

        /// Reads every source file in folders and below. Symbolic links in them are not followed, so none can lead in a
        /// circle; folders whose names begin with a dot are left out.
        ///
        /// - Throws: If a folder cannot be listed.
        init(folders: [String], progress: ProgressReport) throws(CommandFailure) {
            var paths: [String] = []
            for folder in folders {
                try collect(folder, into: &paths)
            }
            for (position, path) in paths.enumerated() {
                progress.advance(to: position + 1, of: paths.count)
                read(path)
            }
            progress.finish()
        }

        private mutating func collect(_ root: String, into paths: inout [String]) throws(CommandFailure) {
            let manager = FileManager.default
            var isFolder: ObjCBool = false
            guard manager.fileExists(atPath: root, isDirectory: &isFolder) else {
                throw CommandFailure("\(root) is not there; name a folder of sources.")
            }
            guard isFolder.boolValue else {
                let attributes = try? manager.attributesOfItem(
                    atPath: URL(filePath: root).resolvingSymlinksInPath().path)
                guard attributes?[.type] as? FileAttributeType == .typeRegular else {
                    throw CommandFailure("\(root) is neither a folder nor a file; name a folder of sources.")
                }
                paths.append(root)
                return
            }
            var pending = [root]
            while let folder = pending.popLast() {
                guard let names = try? manager.contentsOfDirectory(atPath: folder) else {
                    if folder == root { throw CommandFailure("\(root) cannot be listed; check its permissions.") }
                    remarks.append("\(folder) cannot be listed and was passed over.")
                    continue
                }
                for name in names.sorted() where !name.hasPrefix(".") {
                    let path = folder + "/" + name
                    // Of the link itself, not of what it leads to.
                    guard let attributes = try? manager.attributesOfItem(atPath: path) else { continue }
                    switch attributes[.type] as? FileAttributeType {
                    case .typeDirectory?: pending.append(path)
                    case .typeRegular? where Self.endings.contains(String(name.split(separator: ".").last ?? "")):
                        guard paths.count < Self.fileLimit else {
                            throw CommandFailure("More than \(Self.fileLimit) source files; name smaller folders.")
                        }
                        paths.append(path)
                    default: break
                    }
                }
            }
        }

        private mutating func read(_ path: String) {
            guard let input = try? InputFile(path: path), input.bytes.count <= Self.sizeLimit else {
                remarks.append("\(path) cannot be read, or is too large, and was passed over.")
                return
            }
            fileCount += 1
            var scanner = SourceScanner(input.bytes)
            scanner.scan(words: &words, texts: &texts)
        }

        /// Whether a flag is mentioned: by its property's name, other than where it is declared, or by its key in quotes.
        func mentions(_ flag: FlagManifest.Entry) -> Bool {
            if let name = flag.property.split(separator: ".").last, words.contains(String(name)) { return true }
            return texts.contains(flag.key)
        }
    }
#endif
