#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A port of 127.0.0.1 at which no server answers, and which no other process can get meanwhile.
///
/// The port of a server that was stopped is not as good: the next server of another test may get it.
package final class ClosedPort: Sendable {
    /// The port's number, as long as this object lives.
    package let number: UInt16
    private let descriptor: Int32

    package init() throws {
        // Bound and never listened at, so the system refuses every connection.
        #if canImport(Glibc)
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, size) == 0 && getsockname(descriptor, address, &size) == 0
            }
        }
        number = UInt16(bigEndian: address.sin_port)
        if !isBound { throw Failure(number: errno) }
    }

    deinit {
        _ = close(descriptor)
    }

    /// The system gives no port.
    package struct Failure: Error {
        package let number: Int32
    }
}
