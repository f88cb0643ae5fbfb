#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#else
    import Glibc
#endif

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
