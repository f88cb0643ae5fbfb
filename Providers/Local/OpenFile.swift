#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

// Not Foundation: its atomic writing neither flushes the file nor its folder, follows no symbolic link, and replaces
// the permissions.

/// A file that is open, and closed when the value goes away.
struct OpenFile: ~Copyable {
    let descriptor: CInt
    let path: String

    /// Opens a file. Child processes do not inherit it, and opening a pipe does not wait for the other end.
    init(_ path: String, _ flags: CInt, mode: mode_t = 0) throws(SystemCallError) {
        self.path = path
        descriptor = try SystemCallError.check("open", path) { open(path, flags | O_CLOEXEC | O_NONBLOCK, mode) }
    }

    deinit {
        close(descriptor)
    }

    /// Size, owner, permissions and kind.
    borrowing func attributes() throws(SystemCallError) -> stat {
        var attributes = stat()
        try SystemCallError.check("fstat", path) { fstat(descriptor, &attributes) }
        return attributes
    }

    /// Reads everything from the start.
    ///
    /// - Returns: `nil` if there are more bytes than `limit`. Of a file that grows meanwhile, at most 64 KiB beyond the
    ///   limit are read.
    borrowing func contents(limit: Int) throws(SystemCallError) -> [UInt8]? {
        let size = Int(try attributes().st_size)
        guard size <= limit else { return nil }
        // One byte more than expected, so that the end shows in the first call.
        var bytes = [UInt8](repeating: 0, count: size + 1)
        var count = 0
        while true {
            let read = try SystemCallError.check("read", path) {
                bytes.withUnsafeMutableBytes { buffer in
                    pread(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count, off_t(count))
                }
            }
            guard read > 0 else { break }
            count += read
            guard count <= limit else { return nil }
            if count == bytes.count { bytes.append(contentsOf: repeatElement(0, count: min(count, 1 << 16))) }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// Replaces the whole content of the file without flushing it. A failure can leave the file empty or cut short.
    borrowing func replaceContents(with bytes: [UInt8]) throws(SystemCallError) {
        try SystemCallError.check("ftruncate", path) { ftruncate(descriptor, 0) }
        var count = 0
        while count < bytes.count {
            count += try SystemCallError.check("write", path) {
                bytes.withUnsafeBytes { buffer in
                    pwrite(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count, off_t(count))
                }
            }
        }
    }

    /// Gives the file the owner, group and permissions of another one.
    ///
    /// Only the superuser can give a file to somebody else. Where the group cannot be kept, what the group was allowed
    /// is not passed on to another group.
    borrowing func adopt(_ other: stat) throws(SystemCallError) {
        let own = try attributes()
        var mode = other.st_mode & 0o7777
        if own.st_uid != other.st_uid || own.st_gid != other.st_gid {
            let keepsOwner = fchown(descriptor, other.st_uid, other.st_gid) == 0
            let keepsGroup = keepsOwner || fchown(descriptor, uid_t.max, other.st_gid) == 0
            // The bits that let a program run as its owner or group mean somebody else now.
            if !keepsOwner { mode &= 0o1777 }
            if !keepsGroup { mode = (mode & ~0o070) | ((mode & 0o007) << 3) & mode }
        }
        guard mode != own.st_mode & 0o7777 else { return }
        try SystemCallError.check("fchmod", path) { fchmod(descriptor, mode) }
    }

    /// What a flush waits for.
    enum Flush: Sendable, Hashable {
        /// That the content is on the disk, and with it what was sent to the drive before.
        case disk
        /// That the content is on its way there, before all that is written later.
        case barrier
    }

    /// Waits until the file's content is on the disk, or on its way there.
    ///
    /// - Returns: Whether the drive did what was asked of it. On Apple systems `fsync` alone leaves the data in the
    ///   drive's cache, and file systems without the other calls have only that. Elsewhere it is all that is needed.
    @discardableResult
    borrowing func flush(_ flush: Flush) throws(SystemCallError) -> Bool {
        #if canImport(Darwin)
            if fcntl(descriptor, flush == .disk ? F_FULLFSYNC : F_BARRIERFSYNC) == 0 { return true }
            try SystemCallError.check("fsync", path) { fsync(descriptor) }
            return false
        #else
            try SystemCallError.check("fsync", path) { fsync(descriptor) }
            return true
        #endif
    }

    /// Waits until the names in a folder are on the disk, where the file system can do that.
    ///
    /// - Returns: Whether the drive did what was asked of it.
    borrowing func flushFolder(_ flush: Flush = .disk) throws(SystemCallError) -> Bool {
        do {
            return try self.flush(flush)
        } catch  where [EINVAL, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(error.number) {
            // Some network and user-space file systems have no such thing; nothing more can be done with the folder.
            return false
        }
    }

    /// Tries to take the advisory lock of the file without waiting. It is released when the file is closed.
    ///
    /// - Returns: `false` if somebody else has it. `true` also where the file system has no locks.
    borrowing func tryLock() throws(SystemCallError) -> Bool {
        do {
            try SystemCallError.check("flock", path) { flock(descriptor, LOCK_EX | LOCK_NB) }
            return true
        } catch  where error.number == EWOULDBLOCK {
            return false
        } catch  where [EINVAL, ENOLCK, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(error.number) {
            return true
        }
    }
}

extension OpenFile {
    /// Gives the file these permissions, whatever the process's mask is.
    borrowing func setPermissions(_ permissions: UInt16) throws(SystemCallError) {
        try SystemCallError.check("fchmod", path) { fchmod(descriptor, mode_t(permissions) & 0o777) }
    }
}

extension stat {
    /// What this is, if it is no regular file, in words.
    var irregularKind: String? {
        switch st_mode & S_IFMT {
        case S_IFREG: nil
        case S_IFDIR: "a folder"
        case S_IFIFO: "a pipe"
        case S_IFSOCK: "a socket"
        case S_IFCHR, S_IFBLK: "a device"
        default: "something else"
        }
    }
}
