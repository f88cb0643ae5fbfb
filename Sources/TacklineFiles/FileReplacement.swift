import TacklineCLibrary

/// A new version of a file, which is written next to it and renamed onto it in one step.
///
/// The new version is also the lock: one process at a time has it open and locked, and only that process may write and
/// rename it. A crash leaves at most one file behind, which the next writer reuses.
package struct FileReplacement: ~Copyable {
    private let file: OpenFile
    private let path: String
    /// The path of the file to replace.
    package let target: String
    private let folder: OpenFile
    private let work: ExpiringWork?
    private let permissions: UInt16?
    private var isInPlace = false

    /// The extension of a new version's file name.
    private static let nameEnding = ".writing"

    /// Opens and locks the new version of a file, waiting for other writers.
    ///
    /// - Parameters:
    ///   - timeLimit: The longest time to wait for other writers.
    ///   - permissions: The permissions of a new file, or `nil` for those that the process's umask leaves.
    ///   - work: The work that this is part of and that may have to stop, or `nil` if it can't be interrupted.
    /// - Throws: ``FileFailure/busy(_:)`` after the time limit, ``FileFailure/suspending`` if the work has to
    ///   stop, or the error of the operating system.
    package init(
        of target: String, timeLimit: Duration, permissions: UInt16? = nil, in work: ExpiringWork? = nil
    ) throws(FileFailure) {
        let folderPath = LocalPath.folder(of: target)
        let path = "\(folderPath == "/" ? "" : folderPath)/.\(LocalPath.name(of: target))\(Self.nameEnding)"
        let folder = try FileReplacement.openFolder(folderPath)
        // Never wider than those of the old version, because a process that opens the file now can read it later.
        var old = stat()
        let mode = stat(target, &old) == 0 ? old.st_mode | 0o600 : mode_t(permissions ?? 0o666)
        let file = try FileReplacement.openLocked(path, timeLimit: timeLimit, mode: mode & 0o777, in: work)
        self.work = work
        self.permissions = permissions
        self.target = target
        self.path = path
        self.folder = folder
        self.file = file
    }

    deinit {
        // The file is still locked here. A process that waits for the lock detects that it was removed and opens a new
        // one.
        if !isInPlace { unlink(path) }
    }

    /// Opens the folder, and creates it if it is missing. It is opened early, so that only the disk itself can fail
    /// after the renaming.
    private static func openFolder(_ path: String) throws(FileFailure) -> OpenFile {
        do throws(SystemCallError) {
            return try OpenFile(path, O_RDONLY | O_DIRECTORY)
        } catch {
            guard error.number == ENOENT else { throw .system(error) }
        }
        do throws(SystemCallError) {
            try LocalPath.makeFolder(path)
            return try OpenFile(path, O_RDONLY | O_DIRECTORY)
        } catch {
            throw .system(error)
        }
    }

    private static func openLocked(
        _ path: String, timeLimit: Duration, mode: mode_t, in work: ExpiringWork?
    ) throws(FileFailure) -> OpenFile {
        let start = ContinuousClock.now
        while true {
            do throws(SystemCallError) {
                let file = try openForLocking(path, mode: mode)
                if try file.tryLock(), try isUsable(file, at: path) { return file }
            } catch {
                throw .system(error)
            }
            guard ContinuousClock.now - start < timeLimit else { throw .busy(timeLimit) }
            if let work, !work.mayGoOn { throw .suspending }
            // The lock is held for about the time of one flush. `flock` can't wait with a time limit.
            usleep(500)
        }
    }

    /// Opens the new version for writing. If another user left it behind, opens it for reading, which is enough to lock
    /// it.
    private static func openForLocking(_ path: String, mode: mode_t) throws(SystemCallError) -> OpenFile {
        do throws(SystemCallError) {
            return try OpenFile(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: mode)
        } catch {
            guard error.number == EACCES else { throw error }
            do { return try OpenFile(path, O_RDONLY | O_NOFOLLOW) } catch { /* The first error says more. */  }
            throw error
        }
    }

    /// Returns whether a locked file is still the one at the path and belongs to this user.
    ///
    /// It is no longer the one at the path if the previous owner of the lock has renamed it. A file that belongs to
    /// another user, or that has another name too, is removed.
    private static func isUsable(_ file: borrowing OpenFile, at path: String) throws(SystemCallError) -> Bool {
        let opened = try file.attributes()
        var present = stat()
        guard lstat(path, &present) == 0, present.st_ino == opened.st_ino, present.st_dev == opened.st_dev else {
            return false
        }
        guard opened.st_uid == geteuid(), opened.st_nlink == 1 else {
            try SystemCallError.check("unlink", path) { unlink(path) }
            return false
        }
        return true
    }

    /// Writes the new version, renames it onto the file, and returns when both are as durable as requested.
    ///
    /// The permissions and the extended attributes of the old version are kept.
    ///
    /// - Parameters:
    ///   - durability: The state to wait for.
    ///   - writing: The function that writes. Tests pass one that fails.
    ///   - aside: The path that the old version is moved to first, or `nil` to replace it.
    /// - Throws: ``FileFailure`` with the error of the operating system. The old version is then in its place,
    ///   except if the disk fails while the renaming is flushed.
    package mutating func commit(
        _ bytes: [UInt8], durability: FileDurability = .full, movingOldTo aside: String? = nil,
        writing: OpenFile.Writing = OpenFile.systemWriting
    ) throws(FileFailure) {
        let flushes = durability.flushes
        do throws(SystemCallError) {
            var old = stat()
            if stat(target, &old) == 0 {
                // Renaming doesn't need write permission for the file, but its owner set the permissions for a reason.
                try SystemCallError.check("access", target) { access(target, W_OK) }
                try file.adopt(old)
                try file.adoptAttributes(of: target)
            } else if let permissions {
                try file.setPermissions(permissions)
            }
            try file.replaceContents(with: bytes, writing: writing)
            if let flush = flushes.file { try file.flush(flush) }
        } catch {
            throw .system(error)
        }
        if let work, !work.mayGoOn { throw .suspending }
        do throws(SystemCallError) {
            if let aside { try keepOld(as: aside) }
            do {
                try SystemCallError.check("rename", target) { rename(path, target) }
            } catch {
                if let aside { _ = access(target, F_OK) == 0 ? unlink(aside) : rename(aside, target) }
                throw error
            }
            isInPlace = true
            guard let flush = flushes.folder else { return }
            // If a flush of the folder can't empty the drive's cache, a flush of the file can.
            if try !folder.flushFolder(flush) { try file.flush(flush) }
        } catch {
            throw .system(error)
        }
    }

    /// Writes a new file and gives it its name, unless there is a file of that name.
    ///
    /// - Returns: `false` if there is such a file, which stays as it is.
    package mutating func commitNew(_ bytes: [UInt8], durability: FileDurability = .full) throws(FileFailure) -> Bool {
        do throws(SystemCallError) {
            if let permissions { try file.setPermissions(permissions) }
            try file.replaceContents(with: bytes)
            if let flush = durability.flushes.file { try file.flush(flush) }
            // Unlike renaming, a link replaces nothing. The other name is removed when this value is destroyed.
            try SystemCallError.check("link", target) { link(path, target) }
            if let flush = durability.flushes.folder { _ = try folder.flushFolder(flush) }
            return true
        } catch {
            if error.number == EEXIST { return false }
            throw .system(error)
        }
    }

    /// Removes the new versions of a folder's files that killed processes left behind.
    ///
    /// - Parameter isIncluded: Returns whether a file with a name belongs to the caller.
    package static func removeAbandoned(in folder: String, where isIncluded: (String) -> Bool) {
        guard let stream = opendir(folder) else { return }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            guard name.hasPrefix("."), name.hasSuffix(nameEnding),
                isIncluded(String(name.dropFirst().dropLast(nameEnding.count)))
            else { continue }
            let path = "\(folder)/\(name)"
            // One that is being written is locked, and stays.
            if let file = try? OpenFile(path, O_RDWR | O_NOFOLLOW), (try? file.tryLock()) == true { unlink(path) }
        }
    }

    /// Gives the old version another name.
    ///
    /// Uses a hard link if the file system supports them, so that the file exists at every moment.
    private func keepOld(as aside: String) throws(SystemCallError) {
        if link(target, aside) != 0 {
            try SystemCallError.check("rename", target) { rename(target, aside) }
        }
    }
}
