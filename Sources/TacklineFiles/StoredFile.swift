import TacklineCLibrary

/// A file that is read and replaced as a whole: readers, other processes and a crash find the old or the new contents.
///
/// A write takes the lock of the file, which other writers wait for. Symbolic links and permissions are kept. If a write
/// throws, the file is unchanged, unless the disk failed after the new file was in place.
package struct StoredFile: Sendable {
    /// The path, which may be a symbolic link.
    package var path: String
    /// The largest size for reading and writing.
    private let maximumBytes: Int
    /// The permissions of a new file, or `nil` for those that the process's umask leaves.
    private let permissions: UInt16?
    /// Whether a write waits until the disk has the file. Otherwise a loss of power may leave an incomplete one.
    private let isFlushed: Bool
    /// The longest time to wait for other writers.
    private let timeLimit: Duration
    /// Reads the file at a path. Tests replace it.
    private let reading: Reading

    package typealias Reading = @Sendable (_ path: String, _ limit: Int) throws(FileFailure) -> [UInt8]?

    package init(
        _ path: String, maximumBytes: Int, permissions: UInt16? = nil, isFlushed: Bool = true,
        timeLimit: Duration = .seconds(5), reading: @escaping Reading = StoredFile.bytes(of:limit:)
    ) {
        (self.path, self.maximumBytes, self.permissions) = (path, maximumBytes, permissions)
        (self.isFlushed, self.timeLimit, self.reading) = (isFlushed, timeLimit, reading)
    }

    /// Throws an error if the file may not have so many bytes.
    package func checkSize(of bytes: [UInt8]) throws(FileFailure) {
        guard bytes.count <= maximumBytes else { throw FileFailure.tooLarge(limit: maximumBytes) }
    }

    // MARK: Reading

    /// Returns the bytes, or `nil` if there is no file.
    package func bytes() throws(FileFailure) -> [UInt8]? { try reading(path, maximumBytes) }

    /// Returns the bytes of the file at a path, or `nil` if there is none.
    package static func bytes(of path: String, limit: Int) throws(FileFailure) -> [UInt8]? {
        do throws(FileFailure) { return try OpenFile(path, O_RDONLY).contents(limit: limit) } catch {
            if error.number == ENOENT { return nil }
            throw error
        }
    }

    /// Returns the time of the last change of the contents, in seconds since 1970, or `nil` if there is no file.
    package static func modificationTime(of path: String) -> Double? {
        FilePath.attributes(path).map { Double($0.st_mtim.tv_sec) + Double($0.st_mtim.tv_nsec) / 1e9 }
    }

    // MARK: Writing

    /// Reads the file, changes its bytes, and writes them, while other writers wait.
    ///
    /// A new version is written beside the file and renamed onto it. It is also the lock: one process at a time has it open
    /// and locked, and only that process may write and rename it. A crash leaves at most one file behind, which the next
    /// writer reuses. The file and its folder are created if they don't exist.
    ///
    /// - Parameters:
    ///   - work: The work that this is part of and that may have to stop, or `nil` if it can't be interrupted.
    ///   - change: Returns the new bytes for the old ones, which are `nil` if there is no file. If it returns the same
    ///     bytes or `nil`, nothing is written.
    /// - Throws: ``FileFailure``, or the error of the closure.
    package func rewrite(in work: ExpiringWork? = nil, _ change: ([UInt8]?) throws -> [UInt8]?) throws {
        // This path has no links, so it is the same file to the end.
        let target = try FilePath.target(of: path)
        let (parent, name) = FilePath.parts(of: target)
        let new = "\(parent)/.\(name).writing"
        // It is opened early, so that only the disk itself can fail after the renaming.
        let folder = try FilePath.openFolder(parent)
        // Never wider than those of the old version, because a process that opens the file now can read it later.
        let narrow = FilePath.attributes(target).map { $0.st_mode | 0o600 } ?? mode_t(permissions ?? 0o666)
        let file = try locked(new, narrow & 0o777, in: work)
        var isInPlace = false
        defer {
            // It is still locked. A process that waits for the lock detects that it was removed and opens a new one.
            if !isInPlace { unlink(new) }
            withExtendedLifetime(file) {}
        }
        let old = try reading(target, maximumBytes)
        guard let bytes = try change(old), bytes != old else { return }
        try checkSize(of: bytes)
        if let mode = try modeForReplacing(target, with: file) {
            try FileFailure.check("fchmod", new) { fchmod(file.descriptor, mode) }
        }
        try FileFailure.check("ftruncate", new) { ftruncate(file.descriptor, 0) }
        try file.write(bytes)
        if isFlushed { try file.flush() }
        // Nothing may be locked while the process is suspended.
        if work?.mayGoOn == false { throw FileFailure.suspending }
        try FileFailure.check("rename", target) { rename(new, target) }
        isInPlace = true
        if isFlushed { try folder.flush() }
    }

    /// Returns the permissions of the new file, or `nil` for those that it has.
    private func modeForReplacing(_ target: String, with file: borrowing OpenFile) throws(FileFailure) -> mode_t? {
        guard let old = FilePath.attributes(target) else { return permissions.map { mode_t($0) } }
        // Renaming doesn't need write permission for the file, but its owner set the permissions for a reason.
        try FileFailure.check("access", target) { access(target, W_OK) }
        #if canImport(Darwin)
            // Otherwise a file that is readable only while the device is unlocked would always be readable. The class is
            // negative where files have none.
            let present = try OpenFile(target, O_RDONLY)
            let protection = fcntl(present.descriptor, F_GETPROTECTIONCLASS)
            if protection > 0 { _ = fcntl(file.descriptor, F_SETPROTECTIONCLASS, protection) }
        #endif
        return old.st_mode & 0o777
    }

    private func locked(_ path: String, _ mode: mode_t, in work: ExpiringWork?) throws(FileFailure) -> OpenFile {
        let start = ContinuousClock.now
        while true {
            let isReadOnly = access(path, W_OK) != 0 && errno == EACCES
            let file = try OpenFile(path, O_NOFOLLOW | (isReadOnly ? O_RDONLY : O_RDWR | O_CREAT), mode: mode)
            var present = stat()
            if try file.tryLock(), lstat(path, &present) == 0 {
                let opened = try file.attributes()
                // Another one is at the path if the previous owner of the lock has renamed this one.
                if present.st_ino == opened.st_ino, present.st_dev == opened.st_dev {
                    if opened.st_uid == geteuid(), opened.st_nlink == 1, !isReadOnly { return file }
                    // It belongs to another user, has another name too, or can only be read, which is enough to lock it.
                    try FileFailure.check("unlink", path) { unlink(path) }
                }
            }
            guard ContinuousClock.now - start < timeLimit else { throw .busy(timeLimit) }
            if let work, !work.mayGoOn { throw .suspending }
            // The lock is held for about the time of one flush. `flock` can't wait with a time limit.
            usleep(500)
        }
    }
}

#if canImport(Darwin)
    extension stat {
        /// The times by their names elsewhere.
        var st_mtim: timespec { st_mtimespec }
        var st_ctim: timespec { st_ctimespec }
    }
#endif

/// Paths, which are split by bytes as the operating system does: a slash and a combining mark form one character.
enum FilePath {
    /// Returns the folder of a path, which is `.` for a bare name, and the last name.
    static func parts(of path: String) -> (folder: String, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        return (folder, String(path[path.utf8.index(after: slash)...]))
    }

    /// Returns the attributes of the file to which a path leads, or `nil` if there is none.
    static func attributes(_ path: String) -> stat? {
        var attributes = stat()
        return stat(path, &attributes) == 0 ? attributes : nil
    }

    /// Returns the path of the file that a path leads to, or would lead to if it existed.
    ///
    /// Renaming a file onto a symbolic link replaces the link; renaming it onto this path replaces the file.
    fileprivate static func target(of path: String, maximumLinks: Int = 40) throws(FileFailure) -> String {
        if let real = realpath(path, nil) {
            defer { free(real) }
            return String(cString: real)
        }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        // There is no file, and perhaps no folder.
        guard count > 0 else { return path }
        guard maximumLinks > 0 else { throw .system(call: "realpath", path: path, number: ELOOP) }
        let destination = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let isAbsolute = destination.utf8.first == UInt8(ascii: "/")
        return try target(
            of: isAbsolute ? destination : "\(parts(of: path).folder)/\(destination)", maximumLinks: maximumLinks - 1)
    }

    /// Opens a folder. A missing one is created with its parents, and their names are flushed.
    fileprivate static func openFolder(_ path: String) throws(FileFailure) -> OpenFile {
        let parent = parts(of: path).folder
        do throws(FileFailure) { return try OpenFile(path, O_RDONLY | O_DIRECTORY) } catch {
            guard error.number == ENOENT, parent != path else { throw error }
        }
        let above = try openFolder(parent)
        // Another process may create it at the same time.
        if mkdir(path, 0o777) != 0, errno != EEXIST { throw .system(call: "mkdir", path: path, number: errno) }
        try above.flush()
        return try OpenFile(path, O_RDONLY | O_DIRECTORY)
    }
}
