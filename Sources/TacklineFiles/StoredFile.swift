import TacklineCLibrary

/// A file that is read and replaced as a whole: readers, other processes and a crash find the old or the new contents.
///
/// A write takes the lock of the file, which other writers wait for. Symbolic links and permissions are kept. If a write
/// throws, the file is unchanged, unless the disk failed after the new file was in place.
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
    /// The function that reads the file at a path. Tests replace it.
    package var reading: @Sendable (_ path: String, _ limit: Int) throws(FileFailure) -> [UInt8]? = {
        path, limit throws(FileFailure) in try StoredFile.bytes(of: path, limit: limit)
    }

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

    // MARK: Reading

    /// Returns the bytes, or `nil` if there is no file.
    package func bytes() throws(FileFailure) -> [UInt8]? { try reading(path, maximumBytes) }

    /// Returns the bytes of the file at a path, or `nil` if there is none.
    package static func bytes(of path: String, limit: Int) throws(FileFailure) -> [UInt8]? {
        do throws(FileFailure) {
            return try OpenFile(path, O_RDONLY).contents(limit: limit)
        } catch {
            if error.number == ENOENT { return nil }
            throw error
        }
    }

    /// Returns the time of a regular file's last change, in seconds since 1970, or `nil` for anything else.
    package static func modificationTime(of path: String) -> Double? {
        var attributes = stat()
        guard lstat(path, &attributes) == 0, attributes.st_mode & S_IFMT == S_IFREG else { return nil }
        return Double(attributes.modification.tv_sec) + Double(attributes.modification.tv_nsec) / 1e9
    }

    // MARK: Writing

    /// Replaces the contents. The file and its folder are created if they don't exist.
    package func replace(with bytes: [UInt8]) throws(FileFailure) {
        var replacement = try FileReplacement(of: self)
        try replacement.commit(bytes, self)
    }

    /// Creates the file with its folder.
    ///
    /// - Returns: `false` if there is a file, which stays as it is.
    package func create(with bytes: [UInt8]) throws(FileFailure) -> Bool {
        var replacement = try FileReplacement(of: self)
        guard try reading(replacement.target, maximumBytes) == nil else { return false }
        try replacement.commit(bytes, self)
        return true
    }

    /// Reads the file, changes its bytes, and writes them, while other writers wait.
    ///
    /// - Parameters:
    ///   - work: The work that this is part of and that may have to stop, or `nil` if it can't be interrupted.
    ///   - change: Returns the new bytes for the old ones, which are `nil` if there is no file. If it returns the same
    ///     bytes or `nil`, nothing is written.
    /// - Throws: ``FileFailure``, or the error of the closure.
    package func rewrite(in work: ExpiringWork? = nil, _ change: ([UInt8]?) throws -> [UInt8]?) throws {
        var replacement = try FileReplacement(of: self, in: work)
        let old = try reading(replacement.target, maximumBytes)
        guard let new = try change(old), new != old else { return }
        try replacement.commit(new, self)
    }
}

/// A new version of a file, which is written beside it and renamed onto it in one step.
///
/// The new version is also the lock: one process at a time has it open and locked, and only that process may write and
/// rename it. A crash leaves at most one file behind, which the next writer reuses.
private struct FileReplacement: ~Copyable {
    private let file: OpenFile
    private let path: String
    /// The path of the file to replace, without symbolic links. It doesn't change if a link is changed later.
    let target: String
    /// The folder, which is opened early, so that only the disk itself can fail after the renaming.
    private let folder: OpenFile
    private let work: ExpiringWork?
    private var isInPlace = false

    /// Opens and locks the new version of a file, waiting for other writers. The folder is created if it is missing.
    init(of stored: StoredFile, in work: ExpiringWork? = nil) throws(FileFailure) {
        let target = try Self.target(of: stored.path)
        let folder = FilePath.folder(of: target)
        let path = "\(folder == "/" ? "" : folder)/.\(FilePath.name(of: target)).writing"
        let openFolder = try Self.openFolder(folder)
        file = try Self.locked(path, target, stored, in: work)
        self.folder = openFolder
        self.work = work
        self.target = target
        self.path = path
    }

    deinit {
        // The file is still locked here. A process that waits for the lock detects that it was removed and opens a new one.
        if !isInPlace { unlink(path) }
    }

    /// Writes the new version, renames it onto the file, and returns when both are on the disk.
    ///
    /// - Throws: ``FileFailure`` with the error of the operating system. The old version is then in its place, except if
    ///   the disk fails while the renaming is flushed.
    mutating func commit(_ bytes: [UInt8], _ stored: StoredFile) throws(FileFailure) {
        guard bytes.count <= stored.maximumBytes else { throw .tooLarge(limit: stored.maximumBytes) }
        var old = stat()
        var mode = stored.permissions.map { mode_t($0) }
        if stat(target, &old) == 0 {
            // Renaming doesn't need write permission for the file, but its owner set the permissions for a reason.
            try FileFailure.check("access", target) { access(target, W_OK) }
            mode = old.st_mode
            #if canImport(Darwin)
                // Otherwise a file that is readable only while the device is unlocked would always be readable.
                let protection = try OpenFile(target, O_RDONLY).protectionClass
                if protection > 0 { _ = fcntl(file.descriptor, F_SETPROTECTIONCLASS, protection) }
            #endif
        }
        if let mode { try FileFailure.check("fchmod", path) { fchmod(file.descriptor, mode & 0o777) } }
        try file.replaceContents(with: bytes, writing: stored.writing)
        if stored.durability == .full { try file.flush(.barrier) }
        // Nothing may be locked while the process is suspended.
        if work?.mayGoOn == false { throw .suspending }
        try FileFailure.check("rename", target) { rename(path, target) }
        isInPlace = true
        if stored.durability == .full { try folder.flushFolder() }
    }

    /// Returns the path of the file that a path leads to, or would lead to if it existed.
    ///
    /// Renaming a file onto a symbolic link replaces the link; renaming it onto this path replaces the file.
    private static func target(of path: String) throws(FileFailure) -> String {
        var path = path
        for _ in 0..<40 {
            if let target = real(path) { return target }
            if errno == ELOOP { break }
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(path, &buffer, buffer.count)
            let folder = FilePath.folder(of: path)
            // There is no file, and perhaps no folder.
            guard count > 0 else { return real(folder).map { "\($0)/\(FilePath.name(of: path))" } ?? path }
            let destination = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            path = destination.utf8.first == UInt8(ascii: "/") ? destination : "\(folder)/\(destination)"
        }
        throw .system(SystemCallError(call: "realpath", path: path, number: ELOOP))
    }

    private static func real(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    private static func openFolder(_ path: String) throws(FileFailure) -> OpenFile {
        do throws(FileFailure) {
            return try OpenFile(path, O_RDONLY | O_DIRECTORY)
        } catch {
            guard error.number == ENOENT else { throw error }
            try makeFolder(path)
            return try OpenFile(path, O_RDONLY | O_DIRECTORY)
        }
    }

    /// Creates a folder and its missing parents, and flushes their names.
    private static func makeFolder(_ path: String) throws(FileFailure) {
        let parent = FilePath.folder(of: path)
        var isMade = mkdir(path, 0o777) == 0
        if !isMade, errno == ENOENT, parent != path {
            try makeFolder(parent)
            isMade = mkdir(path, 0o777) == 0
        }
        let number = errno
        guard isMade || number == EEXIST else {
            throw .system(SystemCallError(call: "mkdir", path: path, number: number))
        }
        if isMade { try OpenFile(parent, O_RDONLY).flushFolder() }
    }

    private static func locked(
        _ path: String, _ target: String, _ stored: StoredFile, in work: ExpiringWork?
    ) throws(FileFailure) -> OpenFile {
        var old = stat()
        // Never wider than those of the old version, because a process that opens the file now can read it later.
        let mode = stat(target, &old) == 0 ? old.st_mode | 0o600 : mode_t(stored.permissions ?? 0o666)
        let start = ContinuousClock.now
        while true {
            let file = try OpenFile(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: mode & 0o777)
            if try file.tryLock(), try isUsable(file, at: path) { return file }
            guard ContinuousClock.now - start < stored.timeLimit else { throw .busy(stored.timeLimit) }
            if let work, !work.mayGoOn { throw .suspending }
            // The lock is held for about the time of one flush. `flock` can't wait with a time limit.
            usleep(500)
        }
    }

    /// Returns whether a locked file is still the one at the path and belongs to this user.
    ///
    /// It is no longer the one at the path if the previous owner of the lock has renamed it. A file that belongs to
    /// another user, or that has another name too, is removed.
    private static func isUsable(_ file: borrowing OpenFile, at path: String) throws(FileFailure) -> Bool {
        let opened = try file.attributes()
        var present = stat()
        guard lstat(path, &present) == 0, present.st_ino == opened.st_ino, present.st_dev == opened.st_dev else {
            return false
        }
        if opened.st_uid == geteuid(), opened.st_nlink == 1 { return true }
        try FileFailure.check("unlink", path) { unlink(path) }
        return false
    }
}

/// The parts of a path, split by bytes as the operating system does: a slash and a combining mark form one character.
enum FilePath {
    /// Returns the folder of a path, which is `.` for a bare name.
    static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Returns the last name of a path.
    static func name(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }
}

extension stat {
    /// The time of the last change of the contents.
    var modification: timespec {
        #if canImport(Darwin)
            st_mtimespec
        #else
            st_mtim
        #endif
    }

    /// The time of the last change of the contents or the attributes.
    var change: timespec {
        #if canImport(Darwin)
            st_ctimespec
        #else
            st_ctim
        #endif
    }
}
