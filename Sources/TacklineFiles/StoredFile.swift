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
        #if canImport(Darwin)
            let time = attributes.st_mtimespec
        #else
            let time = attributes.st_mtim
        #endif
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    // MARK: Writing

    /// Replaces the contents. The file and its folder are created if they don't exist.
    package func replace(with bytes: [UInt8]) throws { try write { _ in bytes } }

    /// Creates the file with its folder.
    ///
    /// - Returns: `false` if there is a file, which stays as it is.
    package func create(with bytes: [UInt8]) throws -> Bool {
        var isNew = false
        try rewrite { old in
            isNew = old == nil
            return isNew ? bytes : nil
        }
        return isNew
    }

    /// Reads the file, changes its bytes, and writes them, while other writers wait.
    ///
    /// - Parameters:
    ///   - work: The work that this is part of and that may have to stop, or `nil` if it can't be interrupted.
    ///   - change: Returns the new bytes for the old ones, which are `nil` if there is no file. If it returns the same
    ///     bytes or `nil`, nothing is written.
    /// - Throws: ``FileFailure``, or the error of the closure.
    package func rewrite(in work: ExpiringWork? = nil, _ change: ([UInt8]?) throws -> [UInt8]?) throws {
        try write(in: work) { target in
            let old = try reading(target, maximumBytes)
            let new = try change(old)
            return new == old ? nil : new
        }
    }

    /// Writes a new version beside the file and renames it onto it, while other writers wait.
    ///
    /// The new version is also the lock: one process at a time has it open and locked, and only that process may write and
    /// rename it. A crash leaves at most one file behind, which the next writer reuses.
    ///
    /// - Parameter contents: Returns the new bytes, or `nil` to write nothing, for the path without symbolic links. That path
    ///   doesn't change if a link is changed later.
    private func write(in work: ExpiringWork? = nil, _ contents: (_ target: String) throws -> [UInt8]?) throws {
        let target = try FilePath.target(of: path)
        let parent = FilePath.folder(of: target)
        let new = "\(parent == "/" ? "" : parent)/.\(FilePath.name(of: target)).writing"
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
        guard let bytes = try contents(target) else { return }
        guard bytes.count <= maximumBytes else { throw FileFailure.tooLarge(limit: maximumBytes) }
        var mode = permissions.map { mode_t($0) }
        if let old = FilePath.attributes(target) {
            guard old.st_mode & S_IFMT == S_IFREG else { throw FileFailure.notRegular }
            // Renaming doesn't need write permission for the file, but its owner set the permissions for a reason.
            try FileFailure.check("access", target) { access(target, W_OK) }
            mode = old.st_mode & 0o777
            #if canImport(Darwin)
                // Otherwise a file that is readable only while the device is unlocked would always be readable. The class
                // is negative where files have none.
                let present = try OpenFile(target, O_RDONLY)
                let protection = fcntl(present.descriptor, F_GETPROTECTIONCLASS)
                if protection > 0 { _ = fcntl(file.descriptor, F_SETPROTECTIONCLASS, protection) }
            #endif
        }
        if let mode { try FileFailure.check("fchmod", new) { fchmod(file.descriptor, mode) } }
        try file.replaceContents(with: bytes, writing: writing)
        if durability == .full { try file.flush(.barrier) }
        // Nothing may be locked while the process is suspended.
        if work?.mayGoOn == false { throw FileFailure.suspending }
        try FileFailure.check("rename", target) { rename(new, target) }
        isInPlace = true
        if durability == .full { try folder.flushNames() }
    }

    private func locked(_ path: String, _ mode: mode_t, in work: ExpiringWork?) throws(FileFailure) -> OpenFile {
        let start = ContinuousClock.now
        while true {
            let file = try OpenFile(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: mode)
            var present = stat()
            if try file.tryLock(), lstat(path, &present) == 0 {
                let opened = try file.attributes()
                // Another one is at the path if the previous owner of the lock has renamed this one.
                if present.st_ino == opened.st_ino, present.st_dev == opened.st_dev {
                    if opened.st_uid == geteuid(), opened.st_nlink == 1 { return file }
                    // It belongs to another user, or has another name too.
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

/// Paths, which are split by bytes as the operating system does: a slash and a combining mark form one character.
enum FilePath {
    /// Returns the folder of a path, which is `.` for a bare name.
    static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Returns the last name of a path.
    static func name(of path: String) -> String {
        path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) } ?? path
    }

    /// Returns the attributes of the file to which a path leads, or `nil` if there is none.
    static func attributes(_ path: String) -> stat? {
        var attributes = stat()
        return stat(path, &attributes) == 0 ? attributes : nil
    }

    /// Returns the path of the file that a path leads to, or would lead to if it existed.
    ///
    /// Renaming a file onto a symbolic link replaces the link; renaming it onto this path replaces the file.
    fileprivate static func target(of path: String) throws(FileFailure) -> String {
        var path = path
        for _ in 0..<40 {
            if let target = real(path) { return target }
            if errno == ELOOP { break }
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(path, &buffer, buffer.count)
            let folder = folder(of: path)
            // There is no file, and perhaps no folder.
            guard count > 0 else { return real(folder).map { "\($0)/\(name(of: path))" } ?? path }
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

    /// Opens a folder. A missing one is created with its parents, and their names are flushed.
    fileprivate static func openFolder(_ path: String) throws(FileFailure) -> OpenFile {
        do throws(FileFailure) {
            return try OpenFile(path, O_RDONLY | O_DIRECTORY)
        } catch {
            let parent = folder(of: path)
            guard error.number == ENOENT, parent != path else { throw error }
            let above = try openFolder(parent)
            // Another process may create it at the same time.
            if mkdir(path, 0o777) != 0, errno != EEXIST {
                throw .system(SystemCallError(call: "mkdir", path: path, number: errno))
            }
            try above.flushNames()
            return try OpenFile(path, O_RDONLY | O_DIRECTORY)
        }
    }
}

extension OpenFile {
    /// Waits until the names in a folder are on the disk, if the file system supports that.
    fileprivate borrowing func flushNames() throws(FileFailure) {
        do throws(FileFailure) { try flush(.disk) } catch { if !error.isUnsupported { throw error } }
    }
}
