import TacklineCLibrary
import TacklineCore

/// A reason why a file could not be read or written.
package enum FileFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The path leads to a folder, a pipe, a socket or a device.
    case notRegular
    /// A system call failed, with this value of `errno`.
    case system(call: String, path: String, number: CInt)
    /// The file is larger than the limit, or would be.
    case tooLarge(limit: Int)
    /// Other writers held the lock for too long.
    case busy(Duration)
    /// The process is about to be suspended and must not hold a lock then.
    case suspending

    /// The value of `errno` if a system call failed.
    package var number: CInt? { if case .system(_, _, let number) = self { number } else { nil } }

    /// Whether it is that of a call that some network and user-space file systems don't support.
    var isUnsupported: Bool { [EINVAL, ENOLCK, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(number) }

    /// Repeats a call until it is not interrupted by a signal.
    ///
    /// - Throws: ``system(call:path:number:)``, if the call returns a negative number.
    @discardableResult
    static func check<Result: SignedInteger>(
        _ call: String, _ path: String, _ body: () -> Result
    ) throws(FileFailure) -> Result {
        while true {
            let result = body()
            if result >= 0 { return result }
            let number = errno
            if number != EINTR { throw .system(call: call, path: path, number: number) }
        }
    }

    /// The cause, as it reads after a colon. That of a system call is the system's, such as `No space left on device`.
    package var description: String {
        switch self {
        case .notRegular: "it is a folder or a device, not a regular file"
        case .system(let call, let path, let number):
            "\(strerror(number).map { String(cString: $0) } ?? "error \(number)") (\(call) \(path))"
        case .tooLarge(let limit): "it takes more than \(limit.byteText)"
        case .busy(let limit): "other writers kept it locked for \(limit.roundedText)"
        case .suspending: "the process is about to be suspended"
        }
    }
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
