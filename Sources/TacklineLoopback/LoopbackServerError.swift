private import TacklineCLibrary

/// The reason why a ``LoopbackServer`` could not start: a system call failed.
public struct LoopbackServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The operation that failed, as it reads after "could not": "listen on 127.0.0.1".
    public var operation: String
    /// The error number (`errno`) of the operating system.
    public var code: Int32

    /// Makes an error.
    public init(operation: String, code: Int32) {
        self.operation = operation
        self.code = code
    }

    /// A sentence with the operation and the system's text for the error.
    public var description: String {
        let words = strerror(code).map { String(cString: $0) } ?? "unknown error"
        return """
            The loopback server could not \(operation): \(words) (errno \(code)). Stop servers that are no longer used, and \
            let this process open sockets on 127.0.0.1.
            """
    }
}
