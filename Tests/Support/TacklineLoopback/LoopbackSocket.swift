private import Synchronization
private import TacklineCLibrary

/// A socket that owns its descriptor.
///
/// Only one thread sends and receives. While it does, only it may call ``dispose()``; any thread may call
/// ``interrupt()``.
final class LoopbackSocket: Sendable {
    /// The descriptor, which is valid until ``dispose()``.
    let descriptor: Int32
    /// The lock prevents a shutdown of a descriptor that was closed and may be in use for something else.
    private let isDisposed = Mutex(false)

    /// Takes ownership of a descriptor, closes it in child processes, and prevents `SIGPIPE`.
    init(descriptor: Int32) {
        self.descriptor = descriptor
        // If the system supports it, the socket was made with SOCK_CLOEXEC. An accepted socket can't be, since
        // `accept4` is not available in Swift. A process forked in between keeps a copy; ends are sent by `shutdown`,
        // which works despite copies.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        #if canImport(Darwin)
            setOption(SOL_SOCKET, SO_NOSIGPIPE, 1)
        #endif
    }

    deinit {
        dispose()
    }

    /// Sets an option whose value is a number. The server works without the option, so a failure is not reported.
    func setOption(_ level: Int32, _ name: Int32, _ value: Int32) {
        var value = value
        _ = setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Sends all bytes, and blocks while the peer does not read. Returns `false` if the connection is lost.
    func transmit(_ bytes: [UInt8]) -> Bool {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        return bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let sent = send(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, flags)
                if sent > 0 {
                    rest = rest.dropFirst(sent)
                } else if sent == 0 || errno != EINTR {
                    return false
                }
            }
            return true
        }
    }

    /// Blocks until there are bytes and appends at most 16 KiB of them. Returns `false` at the end or if the connection
    /// is lost.
    func receive(into bytes: inout [UInt8]) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 16 * 1024, alignment: 1) { buffer in
            while true {
                let received = recv(descriptor, buffer.baseAddress, buffer.count, 0)
                if received > 0 {
                    bytes.append(contentsOf: buffer.prefix(received))
                    return true
                } else if received == 0 || errno != EINTR {
                    return false
                }
            }
        }
    }

    /// Sends the end of the stream to the peer. Bytes can still be received. Returns `false` if there is no connection
    /// any more.
    func endTransmission() -> Bool {
        isDisposed.withLock { isDisposed in
            !isDisposed && shutdown(descriptor, Int32(SHUT_WR)) == 0
        }
    }

    /// Ends both directions, so that a thread that blocks in this socket continues. Any thread may call it at any time.
    func interrupt() {
        isDisposed.withLock { isDisposed in
            guard !isDisposed else { return }
            _ = shutdown(descriptor, Int32(SHUT_RDWR))
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
            guard !isDisposed else { return }
            isDisposed = true
            _ = close(descriptor)
        }
    }
}
