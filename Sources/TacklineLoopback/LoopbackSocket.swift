private import Synchronization

#if canImport(Darwin)
    private import Darwin
#elseif canImport(Musl)
    private import Musl
#else
    private import Glibc
#endif

/// A socket that owns its descriptor.
///
/// One thread sends and receives, and only it may ``dispose()`` while it does; any thread may ``interrupt()``.
final class LoopbackSocket: Sendable {
    /// Valid until ``dispose()``.
    let descriptor: Int32
    /// Guards against shutting down a descriptor that has been closed and already belongs to something else.
    private let isDisposed = Mutex(false)

    /// Takes over a descriptor and keeps it from child processes and from raising `SIGPIPE`.
    init(descriptor: Int32) {
        self.descriptor = descriptor
        // Where the system can, the socket was made with SOCK_CLOEXEC. Accepted ones cannot be: Swift does not see `accept4`.
        // A process forked in between keeps a copy; ends are announced by `shutdown`, which copies do not hold up.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        #if canImport(Darwin)
            setOption(SOL_SOCKET, SO_NOSIGPIPE, 1)
        #endif
    }

    deinit {
        dispose()
    }

    /// Sets an option that is a number. The server works without them, so a failure is not reported.
    func setOption(_ level: Int32, _ name: Int32, _ value: Int32) {
        var value = value
        _ = setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Sends everything, blocking as long as the peer does not read. False when the connection is gone.
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

    /// Blocks until there are bytes and appends at most 16 KiB of them. False at the end and when the connection is gone.
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

    /// Tells the peer that no more bytes come; some can still be received. False when there is no connection any more.
    func endTransmission() -> Bool {
        isDisposed.withLock { isDisposed in
            !isDisposed && shutdown(descriptor, Int32(SHUT_WR)) == 0
        }
    }

    /// Ends both directions, which wakes the thread that blocks in this socket. Any thread may call it, at any time.
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

    /// Closes the descriptor; doing so again does nothing.
    func dispose() {
        isDisposed.withLock { isDisposed in
            guard !isDisposed else { return }
            isDisposed = true
            _ = close(descriptor)
        }
    }
}
