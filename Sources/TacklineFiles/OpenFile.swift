package import TacklineCLibrary

// Not Foundation: its atomic writing flushes neither the file nor its folder, doesn't follow symbolic links, and
// replaces the permissions.

/// An open file, which is closed when the value is destroyed.
package struct OpenFile: ~Copyable, Sendable {
    package let descriptor: CInt
    package let path: String

    /// Opens a file. Child processes don't inherit it, and opening a pipe doesn't wait for the other end.
    package init(_ path: String, _ flags: CInt, mode: mode_t = 0) throws(SystemCallError) {
        self.path = path
        descriptor = try SystemCallError.check("open", path) { open(path, flags | O_CLOEXEC | O_NONBLOCK, mode) }
    }

    deinit {
        close(descriptor)
    }

    /// Returns the size, owner, permissions and kind of the file.
    package borrowing func attributes() throws(SystemCallError) -> stat {
        var attributes = stat()
        try SystemCallError.check("fstat", path) { fstat(descriptor, &attributes) }
        return attributes
    }

    /// Reads the whole file.
    ///
    /// - Returns: The bytes, or `nil` if there are more than `limit`. If the file grows meanwhile, at most 64 KiB
    ///   beyond the limit are read.
    package borrowing func contents(limit: Int) throws(SystemCallError) -> [UInt8]? {
        let size = Int(try attributes().st_size)
        guard size <= limit else { return nil }
        // One byte more than expected, so that the first call reaches the end.
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

    /// A function that writes bytes at an offset and returns their number, or a negative number with `errno`.
    package typealias Writing = @Sendable (_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int

    /// The system's function.
    package static let systemWriting: Writing = { descriptor, bytes, offset in
        pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset))
    }

    /// Replaces the contents of the file without flushing them. A failure can leave the file empty or truncated.
    ///
    /// - Parameter writing: The function that writes. Tests pass one that fails.
    package borrowing func replaceContents(
        with bytes: [UInt8], writing: Writing = OpenFile.systemWriting
    ) throws(SystemCallError) {
        try SystemCallError.check("ftruncate", path) { ftruncate(descriptor, 0) }
        var count = 0
        while count < bytes.count {
            let written = try SystemCallError.check("write", path) {
                bytes.withUnsafeBytes { writing(descriptor, UnsafeRawBufferPointer(rebasing: $0[count...]), count) }
            }
            // A write of nothing would be repeated forever.
            guard written > 0 else { throw SystemCallError(call: "write", path: path, number: EIO) }
            count += written
        }
    }

    /// Writes bytes at the end of a file that was opened with `O_APPEND`, in one call if the system takes all of them.
    package borrowing func append(_ bytes: [UInt8]) throws(SystemCallError) {
        var count = 0
        while count < bytes.count {
            let written = try SystemCallError.check("write", path) {
                bytes.withUnsafeBytes { write(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count) }
            }
            guard written > 0 else { throw SystemCallError(call: "write", path: path, number: EIO) }
            count += written
        }
    }

    /// Gives the file the owner, group and permissions of another file.
    ///
    /// Only the superuser can change the owner. If the group can't be kept, its permissions are not passed on to
    /// another group.
    package borrowing func adopt(_ other: stat) throws(SystemCallError) {
        let own = try attributes()
        var mode = other.st_mode & 0o7777
        if own.st_uid != other.st_uid || own.st_gid != other.st_gid {
            let keepsOwner = fchown(descriptor, other.st_uid, other.st_gid) == 0
            let keepsGroup = keepsOwner || fchown(descriptor, uid_t.max, other.st_gid) == 0
            // The set-user-ID and set-group-ID bits would now refer to another owner or group.
            if !keepsOwner { mode &= 0o1777 }
            if !keepsGroup { mode = (mode & ~0o070) | ((mode & 0o007) << 3) & mode }
        }
        guard mode != own.st_mode & 0o7777 else { return }
        try SystemCallError.check("fchmod", path) { fchmod(descriptor, mode) }
    }

    /// The state that a flush waits for.
    package enum Flush: Sendable, Hashable {
        /// The contents are on the disk, together with everything that was sent to the drive before.
        case disk
        /// The contents will reach the disk before everything that is written later.
        case barrier
    }

    /// Waits until the file's contents are on the disk, or will be written before later ones.
    ///
    /// - Returns: Whether the drive did what was requested. On Apple platforms, `fsync` alone leaves the data in the
    ///   drive's cache, and some file systems support nothing else. On other platforms `fsync` is sufficient.
    @discardableResult
    package borrowing func flush(_ flush: Flush) throws(SystemCallError) -> Bool {
        #if canImport(Darwin)
            if fcntl(descriptor, flush == .disk ? F_FULLFSYNC : F_BARRIERFSYNC) == 0 { return true }
            try SystemCallError.check("fsync", path) { fsync(descriptor) }
            return false
        #else
            try SystemCallError.check("fsync", path) { fsync(descriptor) }
            return true
        #endif
    }

    /// Waits until the names in a folder are on the disk, if the file system supports that.
    ///
    /// - Returns: Whether the drive did what was requested.
    package borrowing func flushFolder(_ flush: Flush = .disk) throws(SystemCallError) -> Bool {
        do {
            return try self.flush(flush)
        } catch  where [EINVAL, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(error.number) {
            // Some network and user-space file systems don't support this, and there is no alternative.
            return false
        }
    }

    /// Tries to take the advisory lock of the file without waiting. The lock is released when the file is closed.
    ///
    /// - Returns: `false` if another process has the lock. The result is also `true` if the file system has no locks.
    package borrowing func tryLock() throws(SystemCallError) -> Bool {
        do {
            try SystemCallError.check("flock", path) { flock(descriptor, LOCK_EX | LOCK_NB) }
            return true
        } catch  where error.number == EWOULDBLOCK {
            return false
        } catch  where [EINVAL, ENOLCK, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(error.number) {
            return true
        }
    }

    /// Takes the advisory lock of the file, and waits for other processes up to a time limit.
    ///
    /// - Returns: Whether the lock was taken.
    package borrowing func lock(within timeLimit: Duration) throws(SystemCallError) -> Bool {
        let start = ContinuousClock.now
        // `flock` can't wait with a time limit.
        while try !tryLock() {
            guard ContinuousClock.now - start < timeLimit else { return false }
            usleep(500)
        }
        return true
    }
}

extension OpenFile {
    /// Sets the permissions of the file, regardless of the process's umask.
    package borrowing func setPermissions(_ permissions: UInt16) throws(SystemCallError) {
        try SystemCallError.check("fchmod", path) { fchmod(descriptor, mode_t(permissions) & 0o777) }
    }
}

extension stat {
    /// A description of the kind of file, or `nil` for a regular file.
    package var irregularKind: String? {
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
