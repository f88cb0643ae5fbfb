#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A call of the operating system that failed.
struct SystemCallError: Error, Sendable, Hashable {
    /// The name of the call: `rename`.
    let call: String
    /// The file or folder that it was about.
    let path: String
    /// The value of `errno`.
    let number: CInt

    /// What the operating system says: `No space left on device`.
    var reason: String {
        // The text is copied at once; for known numbers it is a constant on every supported platform.
        strerror(number).map { String(cString: $0) } ?? "error \(number)"
    }

    /// Runs a call until no signal interrupts it.
    ///
    /// - Throws: The error that `errno` names, if the call returns a negative number.
    @discardableResult
    static func check<Result: SignedInteger>(
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
