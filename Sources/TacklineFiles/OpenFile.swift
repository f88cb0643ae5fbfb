package import TacklineCLibrary

// Not Foundation: its atomic writing flushes neither the file nor its folder, doesn't follow symbolic links, and
// replaces the permissions.

/// The error of a failed system call.
package struct SystemCallError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name of the call, such as `rename`.
    package let call: String
    /// The file or folder of the call.
    package let path: String
    /// The value of `errno`.
    package let number: CInt

    package init(call: String, path: String, number: CInt) {
        (self.call, self.path, self.number) = (call, path, number)
    }

    /// The description of the system, followed by the call and its path.
    package var description: String { "\(reason) (\(call) \(path))" }

    /// The operating system's description of the error, such as `No space left on device`.
    package var reason: String { strerror(number).map { String(cString: $0) } ?? "error \(number)" }

    /// Repeats a call until it is not interrupted by a signal.
    ///
    /// - Throws: ``SystemCallError`` with the value of `errno`, if the call returns a negative number.
    @discardableResult
    package static func check<Result: SignedInteger>(
        _ call: String, _ path: String, _ body: () -> Result
    ) throws(SystemCallError) -> Result {
        while true {
            let result = body()
            if result >= 0 { return result }
            let number = errno
            if number != EINTR { throw SystemCallError(call: call, path: path, number: number) }
        }
    }
}

/// An open file, which is closed when the value is destroyed.
package struct OpenFile: ~Copyable, Sendable {
    package let descriptor: CInt
    package let path: String

    /// Opens a file. Child processes don't inherit it, and opening a pipe doesn't wait for the other end.
    package init(_ path: String, _ flags: CInt, mode: mode_t = 0) throws(SystemCallError) {
        self.path = path
        descriptor = try SystemCallError.check("open", path) { open(path, flags | O_CLOEXEC | O_NONBLOCK, mode) }
    }

    deinit { close(descriptor) }

    /// Returns the size, owner, permissions and kind of the file.
    package borrowing func attributes() throws(SystemCallError) -> stat {
        var attributes = stat()
        try SystemCallError.check("fstat", path) { fstat(descriptor, &attributes) }
        return attributes
    }

    /// Reads the whole file.
    ///
    /// - Returns: The bytes, or `nil` if there are more than `limit`.
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
    package static let systemWriting: Writing = { pwrite($0, $1.baseAddress, $1.count, off_t($2)) }

    /// Replaces the contents of the file without flushing them. A failure can leave the file empty or truncated.
    ///
    /// - Parameter writing: The function that writes. Tests pass one that fails.
    package borrowing func replaceContents(
        with bytes: [UInt8], writing: Writing = OpenFile.systemWriting
    ) throws(SystemCallError) {
        try SystemCallError.check("ftruncate", path) { ftruncate(descriptor, 0) }
        try writeAll(bytes, writing)
    }

    /// Writes bytes at the end of a file that was opened with `O_APPEND`, in one call if the system takes all of them.
    package borrowing func append(_ bytes: [UInt8]) throws(SystemCallError) {
        try writeAll(bytes) { descriptor, bytes, _ in write(descriptor, bytes.baseAddress, bytes.count) }
    }

    private borrowing func writeAll(_ bytes: [UInt8], _ writing: Writing) throws(SystemCallError) {
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

    /// The state that a flush waits for.
    package enum Flush: Sendable, Hashable {
        /// The contents are on the disk, together with everything that was sent to the drive before.
        case disk
        /// The contents will reach the disk before everything that is written later. On other systems than Apple's this is
        /// the same as ``disk``.
        case barrier
    }

    /// Waits until the file's contents are on the disk, or will be written before later ones.
    package borrowing func flush(_ flush: Flush) throws(SystemCallError) {
        #if canImport(Darwin)
            // `fsync` alone leaves the data in the drive's cache, but some file systems support nothing else.
            if fcntl(descriptor, flush == .disk ? F_FULLFSYNC : F_BARRIERFSYNC) == 0 { return }
        #endif
        try SystemCallError.check("fsync", path) { fsync(descriptor) }
    }

    /// Waits until the names in a folder are on the disk, if the file system supports that.
    package borrowing func flushFolder() throws(SystemCallError) {
        do throws(SystemCallError) {
            try flush(.disk)
        } catch {
            guard Self.unsupported.contains(error.number) else { throw error }
        }
    }

    /// Tries to take the advisory lock of the file without waiting. The lock is released when the file is closed.
    ///
    /// - Returns: `false` if another process has the lock. The result is also `true` if the file system has no locks.
    package borrowing func tryLock() throws(SystemCallError) -> Bool {
        do throws(SystemCallError) {
            try SystemCallError.check("flock", path) { flock(descriptor, LOCK_EX | LOCK_NB) }
            return true
        } catch {
            if error.number == EWOULDBLOCK { return false }
            guard Self.unsupported.contains(error.number) else { throw error }
            return true
        }
    }

    /// The errors of calls that some network and user-space file systems don't support.
    private static let unsupported = [EINVAL, ENOLCK, ENOTSUP, EOPNOTSUPP, ENOSYS]
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
