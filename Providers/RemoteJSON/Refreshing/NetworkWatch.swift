import Synchronization

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
/// never calls the closure.
final class NetworkWatch: Sendable {
    private struct State {
        var actions: [Int: @Sendable () -> Void] = [:]
        var lastNumber = 0
        var isWatching = false
    }

    /// The watches of the process, which share one source of notices.
    private static let state = Mutex(State())
    private let number: Int

    /// - Parameter action: The closure, which runs on any thread and without a lock.
    init(_ action: @escaping @Sendable () -> Void) {
        let (number, isFirst) = Self.state.withLock { state in
            state.lastNumber += 1
            state.actions[state.lastNumber] = action
            defer { state.isWatching = true }
            return (state.lastNumber, !state.isWatching)
        }
        self.number = number
        if isFirst { Self.watch() }
    }

    deinit {
        // The closure is released after the lock.
        let action = Self.state.withLock { $0.actions.removeValue(forKey: number) }
        withExtendedLifetime(action) {}
    }

    private static func notify() {
        let actions = state.withLock { $0.actions }
        for number in actions.keys.sorted() { actions[number]?() }
    }

    #if canImport(Network)
        /// The monitor, which lives as long as the process after the first watch was made.
        private static let monitor = Mutex<NWPathMonitor?>(nil)

        private static func watch() {
            monitor.withLock { monitor in
                let new = NWPathMonitor()
                new.pathUpdateHandler = { path in if path.status == .satisfied { notify() } }
                new.start(queue: DispatchQueue(label: "tackline.network"))
                monitor = new
            }
        }
    #elseif canImport(CTacklineCurl) && canImport(Glibc)
        private static func watch() {
            let socket = tackline_network_open()
            guard socket >= 0 else { return }
            let reading = DispatchSource.makeReadSource(
                fileDescriptor: socket, queue: DispatchQueue(label: "tackline.network"))
            // The handler retains the source, which therefore lives until it is cancelled.
            reading.setEventHandler {
                if tackline_network_drain(socket) != 0 { notify() } else { reading.cancel() }
            }
            reading.setCancelHandler { close(socket) }
            reading.activate()
        }
    #else
        private static func watch() {}
    #endif
}
