private import Synchronization

/// The requests that a server has received, and the tasks that wait for more of them.
final class LoopbackRequestLog: Sendable {
    /// How much is kept: a client that never stops must not use up the memory.
    private static let sizeLimit = 64 * 1024 * 1024

    private struct State {
        var requests: [LoopbackRequest] = []
        var size = 0
        /// All requests ever, also those no longer kept.
        var count = 0
        var waiters: [(count: Int, gate: LoopbackGate)] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    var requests: [LoopbackRequest] {
        state.withLock { $0.requests }
    }

    func record(_ request: LoopbackRequest) {
        let reached = state.withLock { state in
            state.requests.append(request)
            state.count += 1
            state.size += Self.size(of: request)
            if state.size > Self.sizeLimit {
                // Half at once, so that the cost of moving the others does not come with every request.
                state.requests.removeFirst((state.requests.count + 1) / 2)
                state.size = state.requests.reduce(0) { $0 + Self.size(of: $1) }
            }
            let reached = state.waiters.filter { $0.count <= state.count }
            state.waiters.removeAll { $0.count <= state.count }
            return reached
        }
        for waiter in reached {
            waiter.gate.open()
        }
    }

    /// Returns when so many requests have come in all, or the log is closed.
    func wait(forCount count: Int) async throws(CancellationError) {
        let gate = LoopbackGate()
        let mustWait = state.withLock { state in
            guard state.count < count, !state.isClosed else { return false }
            state.waiters.append((count, gate))
            return true
        }
        guard mustWait else { return }
        defer { state.withLock { $0.waiters.removeAll { $0.gate === gate } } }
        try await gate.wait()
    }

    /// Lets every waiter go on, now and from now on.
    func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters {
            waiter.gate.open()
        }
    }

    /// About what a request takes in memory.
    private static func size(of request: LoopbackRequest) -> Int {
        request.headers.reduce(256 + request.target.utf8.count + request.body.count) { sum, header in
            sum + 64 + header.name.utf8.count + header.value.utf8.count
        }
    }
}
