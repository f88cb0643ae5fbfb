package import TacklineCLibrary

// Not Foundation: its atomic writing flushes neither the file nor its folder, doesn't follow symbolic links, and
// replaces the permissions.

/// An open file, which is closed when the value is destroyed.
package struct OpenFile: ~Copyable, Sendable {
    package let descriptor: CInt
    private let path: String

    /// Opens a file. Child processes don't inherit it, and opening a pipe doesn't wait for the other end.
    package init(_ path: String, _ flags: CInt, mode: mode_t = 0) throws(FileFailure) {
        self.path = path
        descriptor = try FileFailure.check("open", path) { open(path, flags | O_CLOEXEC | O_NONBLOCK, mode) }
    }

    deinit { close(descriptor) }

    /// Returns the size, owner, permissions and kind of the file.
    borrowing func attributes() throws(FileFailure) -> stat {
        var attributes = stat()
        try FileFailure.check("fstat", path) { fstat(descriptor, &attributes) }
        return attributes
    }

    /// Reads the whole file.
    ///
    /// - Throws: ``FileFailure``, also if it is not a regular file or has more than `limit` bytes.
    package borrowing func contents(limit: Int) throws(FileFailure) -> [UInt8] {
        guard try attributes().st_mode & S_IFMT == S_IFREG else { throw .notRegular }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = try FileFailure.check("read", path) { pread(descriptor, &part, part.count, off_t(bytes.count)) }
            if count == 0 { return bytes }
            bytes += part[..<count]
            guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
        }
    }

    /// Writes bytes after those that were written before, or at the end of a file that was opened with `O_APPEND`; in one
    /// call if the system takes all of them. A failure can leave a part.
    package borrowing func write(_ bytes: [UInt8]) throws(FileFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = try FileFailure.check("write", path) {
                rest.withUnsafeBytes { TacklineCLibrary.write(descriptor, $0.baseAddress, $0.count) }
            }
            // A write of nothing would be repeated forever.
            guard count > 0 else { throw .system(call: "write", path: path, number: EIO) }
            rest = rest.dropFirst(count)
        }
    }

    /// Waits until the contents of a file, or the names in a folder, are on the disk, if the file system supports that.
    package borrowing func flush() throws(FileFailure) {
        #if canImport(Darwin)
            // `fsync` alone leaves the data in the drive's cache, but some file systems support nothing else.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        do throws(FileFailure) { try FileFailure.check("fsync", path) { fsync(descriptor) } } catch {
            if !error.isUnsupported { throw error }
        }
    }

    /// Tries to take the advisory lock of the file without waiting. The lock is released when the file is closed.
    ///
    /// - Returns: `false` if another process has the lock. The result is also `true` if the file system has no locks.
    package borrowing func tryLock() throws(FileFailure) -> Bool {
        do throws(FileFailure) { try FileFailure.check("flock", path) { flock(descriptor, LOCK_EX | LOCK_NB) } } catch {
            if error.number == EWOULDBLOCK { return false }
            if !error.isUnsupported { throw error }
        }
        return true
    }
}
