private import Synchronization
private import TacklineCLibrary

/// A socket that owns its descriptor.
///
/// Only one thread sends and receives. While it does, only it may call ``dispose()``; any thread may call
/// ``interrupt()``.
final class LoopbackSocket: Sendable {
    private let descriptor: Int32
    /// The lock prevents a shutdown of a descriptor that was closed and may be in use for something else.
    private let isDisposed = Mutex(false)

    /// Takes ownership of a descriptor, closes it in child processes, and prevents `SIGPIPE`.
    private init(descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        #if canImport(Darwin)
            setOption(SOL_SOCKET, SO_NOSIGPIPE)
        #endif
    }

    deinit {
        dispose()
    }

    /// Returns a socket that listens on a free port of 127.0.0.1.
    static func listening() throws(LoopbackServerError) -> LoopbackSocket {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw LoopbackServerError(code: errno) }
        let listening = LoopbackSocket(descriptor: descriptor)
        listening.setOption(SOL_SOCKET, SO_REUSEADDR)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        guard bound == 0, listen(descriptor, SOMAXCONN) == 0 else { throw LoopbackServerError(code: errno) }
        return listening
    }

    /// The port of a listening socket.
    var port: UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Returns the next connection of a listening socket, or `nil` if none comes within a moment.
    func accepted() -> LoopbackSocket? {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // With a limit, since shutting the socket down does not end the wait on every system.
        guard poll(&watched, 1, 20) > 0 else { return nil }
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { return nil }
        let socket = LoopbackSocket(descriptor: connection)
        socket.setOption(Int32(IPPROTO_TCP), TCP_NODELAY)
        return socket
    }

    /// Sets an option. The server works without it, so a failure is not reported.
    private func setOption(_ level: Int32, _ name: Int32) {
        var value: Int32 = 1
        _ = setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Sends all bytes, and blocks while the peer does not read. Returns `false` if the connection is lost.
    func transmit(_ bytes: [UInt8]) -> Bool {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
            if sent > 0 {
                rest = rest.dropFirst(sent)
            } else if sent == 0 || errno != EINTR {
                return false
            }
        }
        return true
    }

    /// Blocks until there are bytes and returns at most 16 KiB of them. Returns `nil` at the end or if the connection is
    /// lost.
    func receive() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let received = recv(descriptor, &bytes, bytes.count, 0)
            if received > 0 { return Array(bytes.prefix(received)) }
            if received == 0 || errno != EINTR { return nil }
        }
    }

    /// Sends the end of the stream to the peer. Bytes can still be received. Returns `false` if there is no connection
    /// any more.
    func endTransmission() -> Bool {
        isDisposed.withLock { !$0 && shutdown(descriptor, Int32(SHUT_WR)) == 0 }
    }

    /// Ends both directions, so that a thread that blocks in this socket continues. Any thread may call it at any time.
    func interrupt() {
        isDisposed.withLock { isDisposed in
            if !isDisposed { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// Closes the descriptor such that the peer receives a TCP reset.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        dispose()
    }

    /// Closes the descriptor. Closing it again does nothing.
    func dispose() {
        isDisposed.withLock { isDisposed in
            if !isDisposed { _ = close(descriptor) }
            isDisposed = true
        }
    }
}
