import TacklineCLibrary

/// A reason why a file could not be read or written.
package enum FileFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The path leads to a folder, a pipe, a socket or a device.
    case notRegular
    /// A system call failed.
    case system(SystemCallError)
    /// The file is larger than the limit, or would be.
    case tooLarge(limit: Int)
    /// Other writers held the lock for too long.
    case busy(Duration)
    /// The process is about to be suspended and must not hold a lock then.
    case suspending

    /// The value of `errno` if a system call failed.
    package var number: CInt? { if case .system(let error) = self { error.number } else { nil } }

    /// Whether it is that of a call that some network and user-space file systems don't support.
    var isUnsupported: Bool { [EINVAL, ENOLCK, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(number) }

    /// Repeats a call until it is not interrupted by a signal.
    ///
    /// - Throws: ``system(_:)`` with the value of `errno`, if the call returns a negative number.
    @discardableResult
    package static func check<Result: SignedInteger>(
        _ call: String, _ path: String, _ body: () -> Result
    ) throws(FileFailure) -> Result {
        while true {
            let result = body()
            if result >= 0 { return result }
            let number = errno
            if number != EINTR { throw .system(SystemCallError(call: call, path: path, number: number)) }
        }
    }

    /// The cause, as it reads after a colon.
    package var description: String {
        switch self {
        case .notRegular: "it is a folder or a device, not a regular file"
        case .system(let error): "\(error)"
        case .tooLarge(let limit): "it takes more than \(limit.byteText)"
        case .busy(let limit): "other writers kept it locked for \(limit.secondsText)"
        case .suspending: "the process is about to be suspended"
        }
    }
}

/// The error of a failed system call.
package struct SystemCallError: Sendable, Hashable, CustomStringConvertible {
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
}

/// The state that a write waits for. In each case, a crash of the process loses nothing.
package enum FileDurability: Sendable, Hashable {
    /// The new file is on the disk.
    case full
    /// Nothing. A loss of power may leave an incomplete file, which readers detect by a checksum.
    case none
}

extension Int {
    /// The number of bytes in MiB, KiB or bytes, rounded down to a tenth, such as `1.2 MiB`.
    package var byteText: String {
        for (shift, unit) in [(20, "MiB"), (10, "KiB")] where self >= 1 << shift {
            let tenths = ((self & ((1 << shift) - 1)) * 10) >> shift
            return "\(self >> shift)\(tenths == 0 ? "" : ".\(tenths)") \(unit)"
        }
        return "\(self) byte\(self == 1 ? "" : "s")"
    }
}

extension Duration {
    /// The duration in seconds, such as `30 seconds` or `0.02 seconds`.
    package var secondsText: String {
        guard components.attoseconds == 0 else { return "\(self)" }
        return "\(components.seconds) second\(components.seconds == 1 ? "" : "s")"
    }
}
