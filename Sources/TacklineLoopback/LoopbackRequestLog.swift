private import Synchronization

/// The received requests of a server, and the tasks that wait for more.
final class LoopbackRequestLog: Sendable {
    /// The greatest total size of the kept requests in bytes, so that a client that never stops can't use up the
    /// memory.
    private static let sizeLimit = 64 * 1024 * 1024

    private struct State {
        var requests: [LoopbackRequest] = []
        var size = 0
        /// The number of all requests, including those no longer kept.
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
                // Half of them at once, so that the cost of moving the others does not arise with every request.
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

    /// Waits until `count` requests were received in total, or the log is closed.
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

    /// Closes the log, which ends all current and later waits.
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

    /// Returns the approximate size of a request in memory.
    private static func size(of request: LoopbackRequest) -> Int {
        request.headers.reduce(256 + request.target.utf8.count + request.body.count) { sum, header in
            sum + 64 + header.name.utf8.count + header.value.utf8.count
        }
    }
}
