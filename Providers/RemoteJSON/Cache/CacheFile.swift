#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#else
    import Glibc
#endif

// Foundation: `Data` is what is kept. The files themselves are handled by the system's own calls, which say what went
// wrong and rename in one step.

/// A file that is read as a whole and replaced as a whole, so that nobody ever sees half of it.
struct CacheFile: Sendable {
    let path: String

    /// Returns what the file holds, or `nil` if it is not there, cannot be read or is longer than the limit.
    func read(limit: Int) -> Data? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var content = Data()
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = buffer.withUnsafeMutableBytes {
                Self.uninterrupted { [bytes = $0] in
                    systemRead(descriptor, bytes.baseAddress, bytes.count)
                }
            }
            guard count >= 0, content.count + count <= limit else { return nil }
            if count == 0 { return content }
            content.append(contentsOf: buffer.prefix(count))
        }
    }

    /// Writes a new file beside the old one and puts it in its place.
    ///
    /// - Parameter write: What writes bytes to a descriptor; a test has one that fails.
    /// - Throws: ``CacheFileError``. The old file is as it was then, and the new one is removed.
    func replace(
        with content: Data,
        write: (Int32, UnsafeRawBufferPointer) -> Int = CacheFile.systemWrite
    ) throws(CacheFileError) {
        let temporary = "\(path).\(UInt64.random(in: .min ... .max)).new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CacheFileError(operation: "create \(temporary)", number: errno) }
        var failure: CacheFileError?
        content.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Self.uninterrupted { write(descriptor, UnsafeRawBufferPointer(rebasing: rest)) }
                guard count > 0 else {
                    failure = CacheFileError(operation: "write \(temporary)", number: count == 0 ? EIO : errno)
                    return
                }
                rest = rest.dropFirst(count)
            }
        }
        if close(descriptor) != 0, failure == nil {
            failure = CacheFileError(operation: "close \(temporary)", number: errno)
        }
        if failure == nil, rename(temporary, path) != 0 {
            failure = CacheFileError(operation: "replace \(path)", number: errno)
        }
        if let failure {
            unlink(temporary)
            throw failure
        }
    }

    /// Whether a file of this name is one that ``replace(with:write:)`` has not put in its place yet.
    static func isTemporary(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let end = parts.suffix(3)
        return parts.count >= 4 && end.first == "tackline" && end.last == "new" && UInt64(parts[parts.count - 2]) != nil
    }

    /// When an ordinary file was changed last, in seconds since 1970; `nil` for anything else.
    static func modificationTime(of path: String) -> Double? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        #if canImport(Darwin)
            return Double(status.st_mtimespec.tv_sec) + Double(status.st_mtimespec.tv_nsec) / 1e9
        #else
            return Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
        #endif
    }

    static func remove(_ path: String) {
        unlink(path)
    }

    static func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        write(descriptor, bytes.baseAddress, bytes.count)
    }

    private static func uninterrupted(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }
}

/// A call of the system that failed while a file was replaced.
package struct CacheFileError: Error, Hashable, CustomStringConvertible {
    /// As it reads after "could not".
    package var operation: String
    /// The system's `errno`.
    package var number: Int32

    package var description: String {
        "could not \(operation): \(strerror(number).map { String(cString: $0) } ?? "error") (errno \(number))"
    }
}

private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}
