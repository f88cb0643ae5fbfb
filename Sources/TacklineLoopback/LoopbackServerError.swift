#if canImport(Darwin)
    private import Darwin
#elseif canImport(Musl)
    private import Musl
#else
    private import Glibc
#endif

/// The reason why a ``LoopbackServer`` could not start: a call of the operating system failed.
public struct LoopbackServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was tried, as it reads after "could not": "listen on 127.0.0.1".
    public var operation: String
    /// The error number (`errno`) of the operating system.
    public var code: Int32

    /// Makes an error.
    public init(operation: String, code: Int32) {
        self.operation = operation
        self.code = code
    }

    /// One sentence that names the operation and the system's own words for the error.
    public var description: String {
        let words = strerror(code).map { String(cString: $0) } ?? "unknown error"
        return "The loopback server could not \(operation): \(words) (errno \(code))."
    }
}
