#if Web
    import FlyingSocks
    import Synchronization

    /// The sockets of a console, with two limits that FlyingFox doesn't have: a client that neither sends nor receives
    /// anything for too long is disconnected, and so is one that has to wait while too many do.
    ///
    /// A stream of events waits for events and not for its socket, so it is not limited here.
    final class ConsolePool<Base: AsyncSocketPool>: AsyncSocketPool {
        private let base: Base
        private let timeout: Duration
        private let maximum: Int
        private let waiting = Mutex(0)

        init(base: Base, timeout: Duration, maximum: Int = 128) {
            self.base = base
            self.timeout = timeout
            self.maximum = maximum
        }

        func prepare() async throws { try await base.prepare() }

        func run() async throws { try await base.run() }

        func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
            // The listener has no peer.
            guard (try? socket.remotePeer()) != nil else {
                return try await base.suspendSocket(socket, untilReadyFor: events)
            }
            let count = waiting.withLock { count in
                count += 1
                return count
            }
            defer { waiting.withLock { $0 -= 1 } }
            guard count <= maximum else { throw SocketError.disconnected }
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { group.cancelAll() }
                group.addTask { [base] in try await base.suspendSocket(socket, untilReadyFor: events) }
                group.addTask { [timeout] in
                    try await Task.sleep(for: timeout)
                    throw SocketError.disconnected
                }
                try await group.next()
            }
        }
    }
#endif
