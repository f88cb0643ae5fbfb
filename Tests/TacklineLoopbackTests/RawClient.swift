import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A client that sends exactly the given bytes and sees exactly what comes, down to how the connection ends.
///
/// Its functions block, so call them in ``onThread(_:)``.
final class RawClient: Sendable {
    enum Ending: Sendable, Equatable {
        case inOrder
        case reset
        /// Nothing came for so long that the test must fail.
        case timedOut
        case error(Int32)
    }

    struct Answer: Sendable {
        var bytes: [UInt8]
        var ending: Ending

        var text: String { String(decoding: bytes, as: UTF8.self) }
        var statusLine: String { String(text.prefix { $0 != "\r\n" }) }
        var body: String {
            let parts = text.components(separatedBy: "\r\n\r\n")
            return parts.dropFirst().joined(separator: "\r\n\r\n")
        }
    }

    struct Failure: Error {
        var code: Int32
    }

    private let descriptor: Int32

    init(port: UInt16) throws {
        descriptor = Self.makeSocket()
        guard descriptor >= 0 else { throw Failure(code: errno) }
        #if canImport(Darwin)
            var on: Int32 = 1
            _ = setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
        // Turns a hang into a failure; no test waits for it, and no slow machine meets it.
        var patience = timeval(tv_sec: 600, tv_usec: 0)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let socket = descriptor
        let status = Self.withAddress(port: port) { connect(socket, $0, $1) }
        // From here on `deinit` runs and closes, also after a throw.
        guard status == 0 else { throw Failure(code: errno) }
    }

    deinit {
        _ = close(descriptor)
    }

    private static func withAddress<Result>(port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result)
        -> Result
    {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    private static func makeSocket() -> Int32 {
        #if canImport(Glibc)
            socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #else
            socket(AF_INET, SOCK_STREAM, 0)
        #endif
    }

    /// Whether a server listens at a port. No connection is made, since that could be the server of another test.
    static func hasListener(port: UInt16) -> Bool {
        let socket = makeSocket()
        defer { _ = close(socket) }
        // So that only a listener is in the way, and not what is left of connections.
        var on: Int32 = 1
        _ = setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        return withAddress(port: port) { bind(socket, $0, $1) } != 0 || listen(socket, 1) != 0
    }

    /// False when the connection ended before everything was sent.
    @discardableResult
    func transmit(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
            guard sent > 0 else { return false }
            rest = rest.dropFirst(sent)
        }
        return true
    }

    func endTransmission() {
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Reads until the connection ends, or until what came ends with the text.
    func receive(until text: String? = nil) -> Answer {
        var bytes: [UInt8] = []
        let ending = receive { portion in
            bytes += portion
            return text.map { !bytes.suffix($0.utf8.count).elementsEqual($0.utf8) } ?? true
        }
        return Answer(bytes: bytes, ending: ending)
    }

    /// Reads until the connection ends and only counts.
    func countBytes() -> (count: Int, ending: Ending) {
        var count = 0
        let ending = receive { portion in
            count += portion.count
            return true
        }
        return (count, ending)
    }

    private func receive(_ isWanted: (UnsafeRawBufferPointer.SubSequence) -> Bool) -> Ending {
        withUnsafeTemporaryAllocation(byteCount: 64 * 1024, alignment: 1) { buffer in
            while true {
                let received = recv(descriptor, buffer.baseAddress, buffer.count, 0)
                if received > 0 {
                    guard isWanted(UnsafeRawBufferPointer(buffer).prefix(received)) else { return .inOrder }
                } else if received == 0 {
                    return .inOrder
                } else if errno != EINTR {
                    return errno == ECONNRESET ? .reset : errno == EAGAIN ? .timedOut : .error(errno)
                }
            }
        }
    }

    /// Connects, sends, and reads until the end.
    static func exchange(port: UInt16, _ text: String) async throws -> Answer {
        try await onThread {
            let client = try RawClient(port: port)
            client.transmit(text)
            return client.receive()
        }
    }

    /// Asks for `/` with GET.
    static func ask(port: UInt16) async throws -> Answer {
        try await exchange(port: port, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    }
}

/// Runs blocking work on a thread of its own, so that it does not hold one of the few on which tests run.
func onThread<Success: Sendable>(_ work: @escaping @Sendable () throws -> Success) async throws -> Success {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
            continuation.resume(with: Result(catching: work))
        }
    }
}
