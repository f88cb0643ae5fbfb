package import TacklineCLibrary

// Not Foundation: its atomic writing flushes neither the file nor its folder, doesn't follow symbolic links, and
// replaces the permissions.

/// An open file, which is closed when the value is destroyed.
package struct OpenFile: ~Copyable, Sendable {
    package let descriptor: CInt
    package let path: String

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

    /// A function that writes bytes at an offset and returns their number, or a negative number with `errno`.
    package typealias Writing = @Sendable (_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int

    /// The system's function.
    package static let systemWriting: Writing = { pwrite($0, $1.baseAddress, $1.count, off_t($2)) }

    /// Replaces the contents of the file without flushing them. A failure can leave the file empty or truncated.
    ///
    /// - Parameter writing: The function that writes. Tests pass one that fails.
    package borrowing func replaceContents(
        with bytes: [UInt8], writing: Writing = OpenFile.systemWriting
    ) throws(FileFailure) {
        try FileFailure.check("ftruncate", path) { ftruncate(descriptor, 0) }
        try writeAll(bytes, writing)
    }

    /// Writes bytes at the end of a file that was opened with `O_APPEND`, in one call if the system takes all of them.
    package borrowing func append(_ bytes: [UInt8]) throws(FileFailure) {
        try writeAll(bytes) { descriptor, bytes, _ in write(descriptor, bytes.baseAddress, bytes.count) }
    }

    private borrowing func writeAll(_ bytes: [UInt8], _ writing: Writing) throws(FileFailure) {
        var count = 0
        while count < bytes.count {
            let written = try FileFailure.check("write", path) {
                bytes.withUnsafeBytes { writing(descriptor, UnsafeRawBufferPointer(rebasing: $0[count...]), count) }
            }
            // A write of nothing would be repeated forever.
            guard written > 0 else { throw .system(SystemCallError(call: "write", path: path, number: EIO)) }
            count += written
        }
    }

    /// The state that a flush waits for.
    package enum Flush: Sendable, Hashable {
        /// The contents are on the disk, together with everything that was sent to the drive before.
        case disk
        /// The contents will reach the disk before everything that is written later. On other systems than Apple's this is
        /// the same as ``disk``.
        case barrier
    }

    /// Waits until the file's contents, or the names in a folder, are on the disk, or will be written before later ones.
    package borrowing func flush(_ flush: Flush) throws(FileFailure) {
        #if canImport(Darwin)
            // `fsync` alone leaves the data in the drive's cache, but some file systems support nothing else.
            if fcntl(descriptor, flush == .disk ? F_FULLFSYNC : F_BARRIERFSYNC) == 0 { return }
        #endif
        try FileFailure.check("fsync", path) { fsync(descriptor) }
    }

    /// Tries to take the advisory lock of the file without waiting. The lock is released when the file is closed.
    ///
    /// - Returns: `false` if another process has the lock. The result is also `true` if the file system has no locks.
    package borrowing func tryLock() throws(FileFailure) -> Bool {
        do throws(FileFailure) {
            try FileFailure.check("flock", path) { flock(descriptor, LOCK_EX | LOCK_NB) }
        } catch {
            if error.number != EWOULDBLOCK, !error.isUnsupported { throw error }
            return error.number != EWOULDBLOCK
        }
        return true
    }
}
