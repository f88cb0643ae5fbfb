import Dispatch

#if canImport(Network)
    import Network
#elseif canImport(Glibc)
    import TacklineCLibrary
#endif

/// An observer that calls a closure when the network may have returned, until it is released.
///
/// It uses `NWPathMonitor` on Apple's systems, and the kernel's notices of interfaces on Linux with glibc. Elsewhere it
/// never calls the closure, which runs on any thread and without a lock.
final class NetworkWatch: @unchecked Sendable {
    // Unchecked, and without a lock: its variable is set in `init`.
    #if canImport(Network)
        private let monitor = NWPathMonitor()

        init(_ action: @escaping @Sendable () -> Void) {
            monitor.pathUpdateHandler = { path in if path.status == .satisfied { action() } }
            monitor.start(queue: .global())
        }

        deinit { monitor.cancel() }
    #elseif canImport(Glibc)
        private var source: (any DispatchSourceRead)?

        init(_ action: @escaping @Sendable () -> Void) {
            // A netlink socket for changes of interfaces, addresses and routes (netlink(7), rtnetlink(7)). Swift has neither
            // its address, `sockaddr_nl` of twelve bytes with the groups at the end, nor the numbers of the groups.
            let kind = SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
            let socket = socket(AF_NETLINK, Int32(kind), 0)
            guard socket >= 0 else { return }
            var address = sockaddr_storage()
            address.ss_family = sa_family_t(AF_NETLINK)
            let isBound = withUnsafeMutableBytes(of: &address) { bytes in
                bytes.storeBytes(of: 0x1 | 0x10 | 0x40 | 0x100 | 0x400, toByteOffset: 8, as: UInt32.self)
                return bytes.withMemoryRebound(to: sockaddr.self) { bind(socket, $0.baseAddress, 12) == 0 }
            }
            let source = DispatchSource.makeReadSource(fileDescriptor: socket, queue: .global())
            self.source = source
            source.setEventHandler { [weak self] in
                var bytes = [UInt8](repeating: 0, count: 16 << 10)
                let count = recv(socket, &bytes, bytes.count, 0)
                // With ENOBUFS notices were lost.
                if count > 0 || errno == ENOBUFS { return action() }
                if errno != EAGAIN, errno != EINTR { self?.source?.cancel() }
            }
            source.setCancelHandler { close(socket) }
            source.activate()
            if !isBound { source.cancel() }
        }

        deinit { source?.cancel() }
    #else
        init(_ action: @escaping @Sendable () -> Void) {}
    #endif
}
