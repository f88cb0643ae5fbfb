import TacklineCLibrary

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
    package var reason: String {
        // The text is copied at once; for known numbers it is a constant on every supported platform.
        strerror(number).map { String(cString: $0) } ?? "error \(number)"
    }

    /// Repeats a call until it is not interrupted by a signal.
    ///
    /// - Throws: ``SystemCallError`` with the value of `errno`, if the call returns a negative number.
    @discardableResult
    package static func check<Result: SignedInteger>(
        _ call: String,
        _ path: String,
        _ body: () -> Result
    ) throws(SystemCallError) -> Result {
        while true {
            let result = body()
            if result >= 0 { return result }
            let number = errno
            if number != EINTR { throw SystemCallError(call: call, path: path, number: number) }
        }
    }
}
