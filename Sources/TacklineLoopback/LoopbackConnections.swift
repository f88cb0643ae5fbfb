private import Synchronization

/// The connections of a server that are open at the moment.
final class LoopbackConnections: Sendable {
    /// The most connections at a time, since each one has a thread.
    private static let limit = 512

    private struct State {
        var sockets: [ObjectIdentifier: LoopbackSocket] = [:]
        var isStopped = false
    }

    /// Opened by ``stop()``.
    let stopping = LoopbackGate()
    /// Opened when the connections are stopped and the last one is gone.
    let ended = LoopbackGate()

    private let state = Mutex(State())

    /// Adds a connection. False when there are too many or all have been stopped; then it is for the caller to close.
    func insert(_ socket: LoopbackSocket) -> Bool {
        state.withLock { state in
            guard !state.isStopped, state.sockets.count < Self.limit else { return false }
            state.sockets[ObjectIdentifier(socket)] = socket
            return true
        }
    }

    /// Takes out a connection after its descriptor has been closed.
    func remove(_ socket: LoopbackSocket) {
        let isLast = state.withLock { state in
            state.sockets.removeValue(forKey: ObjectIdentifier(socket))
            return state.isStopped && state.sockets.isEmpty
        }
        if isLast {
            ended.open()
        }
    }

    /// Ends every connection and every wait of its thread, and lets no new one in. Does not wait for the threads.
    func stop() {
        let sockets = state.withLock { state in
            state.isStopped = true
            return Array(state.sockets.values)
        }
        stopping.open()
        for socket in sockets {
            socket.interrupt()
        }
        if sockets.isEmpty {
            ended.open()
        }
    }
}
