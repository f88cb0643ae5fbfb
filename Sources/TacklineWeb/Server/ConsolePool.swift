#if Web
    import FlyingSocks
    import Synchronization
    import TacklineCore

    /// The sockets of a console, with two limits that FlyingFox doesn't have: a client that neither sends nor receives
    /// anything for too long is disconnected, and so is the one that does so for the longest time while too many do.
    ///
    /// A stream of events waits for events and not for its socket, so it is not limited here.
    final class ConsolePool<Base: AsyncSocketPool>: AsyncSocketPool {
        private let base: Base
        private let timeout: Duration
        private let maximum = 128
        /// The clients that wait, in the order in which they began to. Each is resolved to disconnect it.
        private let waiting = Mutex<[FlagPromise<Void>]>([])

        init(base: Base, timeout: Duration) {
            (self.base, self.timeout) = (base, timeout)
        }

        func prepare() async throws { try await base.prepare() }

        func run() async throws { try await base.run() }

        func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
            // The listener has no peer.
            guard (try? socket.remotePeer()) != nil else {
                return try await base.suspendSocket(socket, untilReadyFor: events)
            }
            let client = FlagPromise<Void>()
            let longest = waiting.withLock { waiting in
                waiting.append(client)
                return waiting.count > maximum ? waiting.removeFirst() : nil
            }
            longest?.resolve(())
            defer { waiting.withLock { waiting in waiting.removeAll { $0 === client } } }
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { group.cancelAll() }
                group.addTask { [base] in try await base.suspendSocket(socket, untilReadyFor: events) }
                group.addTask { [timeout] in
                    try await Task.sleep(for: timeout)
                    throw SocketError.disconnected
                }
                group.addTask {
                    _ = await client.wait()
                    throw SocketError.disconnected
                }
                try await group.next()
            }
        }
    }
#endif
