private import Synchronization

/// The open connections of a server.
final class LoopbackConnections: Sendable {
    /// The greatest number of connections at a time, since each has a thread.
    private static let limit = 512

    private struct State {
        var sockets: [ObjectIdentifier: LoopbackSocket] = [:]
        var isStopped = false
    }

    /// The gate that ``stop()`` opens.
    let stopping = LoopbackGate()
    /// The gate that opens when ``stop()`` was called and the last connection is closed.
    let ended = LoopbackGate()

    private let state = Mutex(State())

    /// Adds a connection. Returns `false` if there are too many or ``stop()`` was called; the caller then closes it.
    func insert(_ socket: LoopbackSocket) -> Bool {
        state.withLock { state in
            guard !state.isStopped, state.sockets.count < Self.limit else { return false }
            state.sockets[ObjectIdentifier(socket)] = socket
            return true
        }
    }

    /// Removes a connection after its descriptor was closed.
    func remove(_ socket: LoopbackSocket) {
        let isLast = state.withLock { state in
            state.sockets.removeValue(forKey: ObjectIdentifier(socket))
            return state.isStopped && state.sockets.isEmpty
        }
        if isLast {
            ended.open()
        }
    }

    /// Ends every connection and every wait of its thread, and refuses new ones. It does not wait for the threads.
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
