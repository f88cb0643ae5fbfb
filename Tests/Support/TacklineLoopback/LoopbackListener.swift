private import Foundation
private import TacklineCLibrary

/// A listening socket on 127.0.0.1 and the thread that accepts from it.
final class LoopbackListener: Sendable {
    let port: UInt16
    private let listening: LoopbackSocket
    /// A pair of connected sockets. The accepting thread watches one of them and ends when the other is shut down.
    /// Shutting down the listening socket itself does not end it on every system.
    private let wake: (ours: LoopbackSocket, watched: LoopbackSocket)
    private let ended = LoopbackGate()

    /// Listens on a free port. Connections wait in a queue until ``start(_:)``.
    init() throws(LoopbackServerError) {
        listening = try Self.makeListeningSocket()
        port = try Self.boundPort(of: listening)
        wake = try Self.makePair()
    }

    /// Starts the thread that accepts connections and passes each one to `body`.
    func start(_ body: @escaping @Sendable (LoopbackSocket) -> Void) {
        Thread.detachNewThread { [self] in
            acceptUntilWoken(body)
            listening.dispose()
            wake.watched.dispose()
            ended.open()
        }
    }

    /// Closes the port. On return no connection is passed to the body any more. Any thread but the accepting one may
    /// call it, any number of times.
    func stop() {
        wake.ours.interrupt()
        ended.block()
        wake.ours.dispose()
    }

    private func acceptUntilWoken(_ body: (LoopbackSocket) -> Void) {
        var watched = [
            pollfd(fd: wake.watched.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: listening.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let ready = poll(&watched, nfds_t(watched.count), -1)
            if ready < 0 {
                guard errno == EINTR else { return }
                continue
            }
            guard watched[0].revents == 0 else { return }
            let descriptor = accept(listening.descriptor, nil, nil)
            if descriptor >= 0 {
                body(Self.connection(descriptor))
            } else if errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS {
                // The connection stays in the queue and `poll` would return at once, so this pauses instead of
                // spinning.
                _ = poll(&watched, 1, 10)
            } else if errno == EBADF || errno == EINVAL {
                return
            }
        }
    }

    private static func connection(_ descriptor: Int32) -> LoopbackSocket {
        let connection = LoopbackSocket(descriptor: descriptor)
        // On some systems connections inherit O_NONBLOCK from the listening socket.
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK)
        connection.setOption(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        return connection
    }

    private static func makeListeningSocket() throws(LoopbackServerError) -> LoopbackSocket {
        let descriptor = socket(AF_INET, streamType, 0)
        guard descriptor >= 0 else { throw LoopbackServerError(operation: "make a socket", code: errno) }
        let listening = LoopbackSocket(descriptor: descriptor)
        listening.setOption(SOL_SOCKET, SO_REUSEADDR, 1)
        // A connection that is closed between `poll` and `accept` must not block the accepting thread.
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        guard bound == 0 else { throw LoopbackServerError(operation: "bind a port of 127.0.0.1", code: errno) }
        guard listen(descriptor, SOMAXCONN) == 0 else {
            throw LoopbackServerError(operation: "listen on 127.0.0.1", code: errno)
        }
        return listening
    }

    private static func boundPort(of socket: LoopbackSocket) throws(LoopbackServerError) -> UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket.descriptor, $0, &size) }
        }
        guard status == 0 else { throw LoopbackServerError(operation: "learn its port", code: errno) }
        return UInt16(bigEndian: address.sin_port)
    }

    private static func makePair() throws(LoopbackServerError) -> (ours: LoopbackSocket, watched: LoopbackSocket) {
        var descriptors: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, streamType, 0, &descriptors) == 0 else {
            throw LoopbackServerError(operation: "make a pair of sockets", code: errno)
        }
        return (LoopbackSocket(descriptor: descriptors[0]), LoopbackSocket(descriptor: descriptors[1]))
    }

    /// The type of a stream socket, with close-on-exec from the start if the system supports it.
    private static var streamType: Int32 {
        #if canImport(Darwin)
            SOCK_STREAM
        #elseif canImport(Musl)
            SOCK_STREAM | SOCK_CLOEXEC
        #else
            Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        #endif
    }
}
