#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The new version of a file, written beside it and put in its place in one step.
///
/// The new version is also the lock: one process at a time has it open and locked, and only then may it be written and
/// renamed. So nothing is left behind but, after a crash, one file that the next writer uses.
struct LocalFileReplacement: ~Copyable {
    private let file: OpenFile
    private let path: String
    /// The file that is to be replaced.
    let target: String
    private let folder: OpenFile
    private let work: ExpiringWork?
    private let permissions: UInt16?
    private var isInPlace = false

    /// What the name of a new version ends with.
    private static let nameEnding = ".writing"

    /// Whether a name is one of a new version, about which nobody needs to hear.
    static func isNameOfNewVersion(_ name: some BidirectionalCollection<UInt8>) -> Bool {
        name.first == UInt8(ascii: ".") && name.suffix(nameEnding.utf8.count).elementsEqual(nameEnding.utf8)
    }

    /// Opens and locks the new version of a file, waiting for other writers.
    ///
    /// - Parameters:
    ///   - timeLimit: How long to wait for other writers.
    ///   - permissions: Those of a file that is not there yet; `nil` for what the process's mask leaves.
    ///   - work: What it is a part of, which may have to stop; `nil` if it need not.
    /// - Throws: ``LocalFileFailure/busy(_:)`` after the time limit, ``LocalFileFailure/suspending`` if it has to stop, or
    ///   what the operating system refused.
    init(
        of target: String, timeLimit: Duration, permissions: UInt16? = nil, in work: ExpiringWork? = nil
    ) throws(LocalFileFailure) {
        let folderPath = LocalPath.folder(of: target)
        let path = "\(folderPath == "/" ? "" : folderPath)/.\(LocalPath.name(of: target))\(Self.nameEnding)"
        let folder = try LocalFileReplacement.openFolder(folderPath)
        let file = try LocalFileReplacement.openLocked(
            path, timeLimit: timeLimit, permissions: permissions, in: work)
        self.work = work
        self.permissions = permissions
        self.target = target
        self.path = path
        self.folder = folder
        self.file = file
    }

    deinit {
        // Under the lock still: who waits for it sees that the file is no longer there and opens a new one.
        if !isInPlace { unlink(path) }
    }

    /// Opens the folder, made if it is missing, so that nothing but the disk itself can fail after the renaming.
    private static func openFolder(_ path: String) throws(LocalFileFailure) -> OpenFile {
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
        _ path: String, timeLimit: Duration, permissions: UInt16?, in work: ExpiringWork?
    ) throws(LocalFileFailure) -> OpenFile {
        let start = ContinuousClock.now
        while true {
            do throws(SystemCallError) {
                let file = try openForLocking(path, mode: mode_t(permissions ?? 0o666) & 0o777)
                if try file.tryLock(), try isUsable(file, at: path) { return file }
            } catch {
                throw .system(error)
            }
            guard ContinuousClock.now - start < timeLimit else { throw .busy(timeLimit) }
            if let work, !work.mayGoOn { throw .suspending }
            // The lock is held for about the time of one flush. There is no waiting for it with a limit.
            usleep(500)
        }
    }

    /// Opens the new version for writing, or one that another user left behind for reading, which is enough to lock it.
    private static func openForLocking(_ path: String, mode: mode_t) throws(SystemCallError) -> OpenFile {
        do throws(SystemCallError) {
            return try OpenFile(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: mode)
        } catch {
            guard error.number == EACCES else { throw error }
            do { return try OpenFile(path, O_RDONLY | O_NOFOLLOW) } catch { /* The first error says more. */  }
            throw error
        }
    }

    /// Whether a locked file is still the one at the path, and nobody else's.
    ///
    /// It is not if the former owner of the lock has put it in place meanwhile. One that somebody else made, or has
    /// another name for, is removed.
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

    /// Writes the new version, puts it in place, and returns when both are as durable as asked for.
    ///
    /// The permissions and the extended attributes of the old version are kept.
    ///
    /// - Parameters:
    ///   - durability: What the call waits for.
    ///   - aside: Where the old version is moved first, if it is to be kept.
    /// - Throws: What the operating system refused. The old version is in its place then, except after a failure of the
    ///   disk while the renaming was flushed.
    mutating func commit(
        _ bytes: [UInt8], durability: LocalProvider.Durability = .full, movingOldTo aside: String?
    ) throws(LocalFileFailure) {
        let flushes = durability.flushes
        do throws(SystemCallError) {
            var old = stat()
            if stat(target, &old) == 0 {
                // Renaming would not ask for this permission, but the file's owner did.
                try SystemCallError.check("access", target) { access(target, W_OK) }
                try file.adopt(old)
                try file.adoptAttributes(of: target)
            } else if let permissions {
                try file.setPermissions(permissions)
            }
            try file.replaceContents(with: bytes)
            try file.flush(flushes.file)
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
            // Where a folder cannot make the drive empty its cache, the file can.
            if try !folder.flushFolder(flush) { try file.flush(flush) }
        } catch {
            throw .system(error)
        }
    }

    /// Gives the old version another name.
    ///
    /// A second name, where the file system has such a thing, so that there is no moment without a file.
    private func keepOld(as aside: String) throws(SystemCallError) {
        if link(target, aside) != 0 {
            try SystemCallError.check("rename", target) { rename(target, aside) }
        }
    }
}
