#if CommandLine
    import Foundation

    /// The source files in folders and their subfolders.
    ///
    /// Symbolic links inside them are not followed, which rules out cycles. Files and folders whose names begin with a dot
    /// are skipped.
    struct SourceFiles {
        private(set) var paths: [String] = []
        /// A line for each folder that was skipped.
        private(set) var remarks: [String] = []

        private static let endings: Set = ["swift", "m", "mm", "h", "kt", "java", "js", "ts", "storyboard", "xib"]
        private static let sizeLimit = 4 << 20
        private static let fileLimit = 200_000

        /// Finds the files.
        ///
        /// - Throws: If a folder cannot be listed.
        init(folders: [String]) throws(CommandFailure) {
            for folder in folders { try collect(folder) }
        }

        private mutating func collect(_ root: String) throws(CommandFailure) {
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
                    // These are the attributes of a link itself, not of its destination.
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

        /// Calls a closure with the path and the bytes of each file.
        ///
        /// - Returns: A line for each file that was skipped.
        func read(_ progress: ProgressReport, _ body: (_ path: String, _ bytes: [UInt8]) -> Void) -> [String] {
            var skipped: [String] = []
            for (position, path) in paths.enumerated() {
                progress.advance(to: position + 1, of: paths.count)
                guard let input = try? InputFile(path: path), input.bytes.count <= Self.sizeLimit else {
                    skipped.append("\(path) cannot be read, or is too large, and was passed over.")
                    continue
                }
                body(path, input.bytes)
            }
            progress.finish()
            return skipped
        }
    }
#endif
