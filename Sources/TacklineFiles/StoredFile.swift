import TacklineCLibrary

/// A file that is read and replaced as a whole: readers, other processes and a crash find the old or the new contents.
///
/// A write takes the lock of the file, which other writers wait for. Symbolic links, permissions and extended attributes
/// are kept. If a write throws, the file is unchanged, unless the disk failed after the new file was in place.
package struct StoredFile: Sendable {
    /// The path, which may be a symbolic link.
    package var path: String
    /// The largest size for reading and writing.
    package var maximumBytes: Int
    /// The permissions of a new file, or `nil` for those that the process's umask leaves.
    package var permissions: UInt16?
    package var durability: FileDurability
    /// The longest time to wait for other writers.
    package var timeLimit: Duration
    /// The function that writes. Tests replace it.
    package var writing = OpenFile.systemWriting

    package init(
        _ path: String, maximumBytes: Int, permissions: UInt16? = nil, durability: FileDurability = .full,
        timeLimit: Duration = .seconds(5)
    ) {
        self.path = path
        self.maximumBytes = maximumBytes
        self.permissions = permissions
        self.durability = durability
        self.timeLimit = timeLimit
    }

    /// Returns the bytes, or `nil` if there is no file.
    package func bytes() throws(FileFailure) -> [UInt8]? { try Self.bytes(of: path, limit: maximumBytes) }

    /// Returns the bytes of the file at a path, or `nil` if there is none.
    package static func bytes(of path: String, limit: Int) throws(FileFailure) -> [UInt8]? {
        let contents: [UInt8]?
        let kind: String?
        do throws(SystemCallError) {
            let file = try OpenFile(path, O_RDONLY)
            kind = try file.attributes().irregularKind
            contents = kind == nil ? try file.contents(limit: limit) : nil
        } catch {
            if error.number == ENOENT { return nil }
            throw .system(error)
        }
        if let kind { throw .notRegular(kind) }
        guard let contents else { throw .tooLarge(limit: limit) }
        return contents
    }

    /// Returns the time of a regular file's last change, in seconds since 1970, or `nil` for anything else.
    package static func modificationTime(of path: String) -> Double? {
        var attributes = stat()
        guard lstat(path, &attributes) == 0, attributes.irregularKind == nil else { return nil }
        #if canImport(Darwin)
            let time = attributes.st_mtimespec
        #else
            let time = attributes.st_mtim
        #endif
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Replaces the contents. The file and its folder are created if they don't exist.
    package func replace(with bytes: [UInt8]) throws(FileFailure) {
        var replacement = try replacement(of: FollowedPath.target(of: path))
        try commit(bytes, to: &replacement)
    }

    /// Creates the file with its folder.
    ///
    /// - Returns: `false` if there is a file, which stays as it is.
    package func create(with bytes: [UInt8]) throws(FileFailure) -> Bool {
        var replacement = try replacement(of: FollowedPath.target(of: path))
        return try replacement.commitNew(bytes, durability: durability)
    }

    /// Reads the file, changes its bytes, and writes them, while other writers wait.
    ///
    /// - Parameter change: Returns the new bytes for the old ones, which are `nil` if there is no file. It may be called
    ///   twice. If it returns the same bytes, nothing is written.
    /// - Throws: ``FileFailure``, or the error of the closure.
    package func rewrite(_ change: ([UInt8]?) throws -> [UInt8]) throws {
        let target = try FollowedPath.target(of: path)
        // Checked before a new version is created next to the file.
        let before = try Self.bytes(of: target, limit: maximumBytes)
        if try change(before) == before { return }
        var replacement = try replacement(of: target)
        // Read again, because another writer may have changed it before the lock was taken.
        let old = try Self.bytes(of: target, limit: maximumBytes)
        let new = try change(old)
        if new != old { try commit(new, to: &replacement) }
    }

    private func replacement(of target: String) throws(FileFailure) -> FileReplacement {
        try FileReplacement(of: target, timeLimit: timeLimit, permissions: permissions)
    }

    private func commit(_ bytes: [UInt8], to replacement: inout FileReplacement) throws(FileFailure) {
        guard bytes.count <= maximumBytes else { throw .tooLarge(limit: maximumBytes) }
        try replacement.commit(bytes, durability: durability, writing: writing)
    }
}
