#if canImport(Network)
    import Dispatch
    import Network
#elseif canImport(CTacklineCurl) && canImport(Glibc)
    import CTacklineCurl
    import Dispatch
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
    #elseif canImport(CTacklineCurl) && canImport(Glibc)
        private var source: (any DispatchSourceRead)?

        init(_ action: @escaping @Sendable () -> Void) {
            let socket = tackline_network_open()
            guard socket >= 0 else { return }
            let source = DispatchSource.makeReadSource(fileDescriptor: socket, queue: .global())
            self.source = source
            source.setEventHandler { [weak self] in
                if tackline_network_drain(socket) != 0 { action() } else { self?.source?.cancel() }
            }
            source.setCancelHandler { close(socket) }
            source.activate()
        }

        deinit { source?.cancel() }
    #else
        init(_ action: @escaping @Sendable () -> Void) {}
    #endif
}
