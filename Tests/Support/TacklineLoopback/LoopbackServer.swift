private import Synchronization

// For URL and threads.
public import Foundation

/// A small HTTP/1.1 server on 127.0.0.1, for tests and examples.
///
/// It answers each request with its handler's reply: a well-formed ``LoopbackResponse``, or a script of exact bytes,
/// pauses and endings that imitates a broken server. It listens on a free port from the moment it is made until it is
/// stopped or released.
///
/// Each connection serves one request, on a thread of its own, and is then closed (`Connection: close`). So a client
/// never uses a connection that is being closed, and requests map to connections one to one. Requests that are malformed
/// or too large are refused by ``HTTPRequestReader`` and do not reach the handler. There is no TLS and no HTTP/2.
public final class LoopbackServer: Sendable {
    /// A closure that answers a request. It is called on the connection's own thread, for several requests at once, and
    /// may block.
    public typealias Handler = @Sendable (LoopbackRequest) -> LoopbackReply

    /// The root of the server, such as `http://127.0.0.1:49152/`.
    public let url: URL
    /// The port on which the server listens until it is stopped.
    public let port: UInt16

    private let listener: LoopbackListener
    private let log = LoopbackRequestLog()
    private let connections = LoopbackConnections()

    /// Starts a server.
    ///
    /// - Throws: ``LoopbackServerError`` if the system provides no socket or port. Nothing is left open then.
    public init(handler: @escaping Handler) throws(LoopbackServerError) {
        listener = try LoopbackListener()
        port = listener.port
        guard let url = URL(string: "http://127.0.0.1:\(listener.port)/") else {
            throw LoopbackServerError(operation: "make a URL of port \(listener.port)", code: 0)
        }
        self.url = url
        // The threads must not retain the server, or it would never be released and stopped.
        listener.start { [log, connections] socket in
            guard connections.insert(socket) else { return socket.dispose() }
            Thread.detachNewThread {
                LoopbackConnection(socket: socket, stopping: connections.stopping).run { request in
                    log.record(request)
                    return handler(request)
                }
                connections.remove(socket)
            }
        }
    }

    /// Starts a server that gives these replies in the order in which requests arrive, and then repeats the last one.
    /// Without replies, every request gets status 500.
    public convenience init(replies: [LoopbackReply]) throws(LoopbackServerError) {
        let position = Mutex(0)
        try self.init { _ in
            guard let last = replies.last else {
                return .response(.text("This loopback server was made without replies.\n", status: 500))
            }
            let index = position.withLock { position in
                defer { position += 1 }
                return position
            }
            return index < replies.count ? replies[index] : last
        }
    }

    /// Starts a server for documents, which can be changed while it runs.
    public convenience init(documents: LoopbackDocuments) throws(LoopbackServerError) {
        try self.init { request in documents.reply(to: request) }
    }

    deinit {
        stop()
    }

    /// Returns the URL of a path on this server. A `?` in the path is encoded, so add a query to the result.
    public func url(path: String) -> URL {
        url.appending(path: path)
    }

    /// The received requests, in the order in which they were complete. Each is recorded before its handler is called.
    public var requests: [LoopbackRequest] {
        log.requests
    }

    /// The number of connections that clients have opened so far.
    public var connectionCount: Int { connections.count }

    /// Waits until at least `count` requests have been received since the server started.
    ///
    /// - Returns: The received requests; fewer than `count` if the server was stopped.
    /// - Throws: `CancellationError` as soon as the task is cancelled, unless `count` requests were received by then.
    @discardableResult
    public func waitForRequests(count: Int) async throws(CancellationError) -> [LoopbackRequest] {
        try await log.wait(forCount: count)
        return log.requests
    }

    /// Stops the server. Stopping it again does nothing.
    ///
    /// On return the port is closed, every connection has ended (the client receives an end without the rest of its
    /// answer), and every wait at a gate and in ``waitForRequests(count:)`` ends. Threads whose handler is still
    /// running close their descriptors when it returns. This function blocks only briefly, and may be called from a handler.
    public func stop() {
        listener.stop()
        connections.stop()
        log.close()
    }
}

/// The reason why a ``LoopbackServer`` could not start: a system call failed.
public struct LoopbackServerError: Error {
    /// The operation that failed, as it reads after "could not": "listen on 127.0.0.1".
    var operation: String
    /// The error number (`errno`) of the operating system.
    var code: Int32
}

/// The received requests of a server, and the tasks that wait for more.
private final class LoopbackRequestLog: Sendable {
    private struct State {
        var requests: [LoopbackRequest] = []
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
            return state.waiters.filter { $0.count <= state.requests.count }
        }
        for waiter in reached { waiter.gate.open() }
    }

    /// Waits until `count` requests were received in total, or the log is closed.
    func wait(forCount count: Int) async throws(CancellationError) {
        let gate = LoopbackGate()
        state.withLock { state in
            guard state.requests.count < count, !state.isClosed else { return gate.open() }
            state.waiters.append((count, gate))
        }
        defer { state.withLock { $0.waiters.removeAll { $0.gate === gate } } }
        try await gate.wait()
    }

    /// Closes the log, which ends all current and later waits.
    func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            return state.waiters
        }
        for waiter in waiters { waiter.gate.open() }
    }
}

/// The open connections of a server.
private final class LoopbackConnections: Sendable {
    private struct State {
        var sockets: [ObjectIdentifier: LoopbackSocket] = [:]
        var count = 0
        var isStopped = false
    }

    /// The gate that ``stop()`` opens.
    let stopping = LoopbackGate()
    private let state = Mutex(State())

    /// Adds a connection. Returns `false` if ``stop()`` was called; the caller then closes it.
    func insert(_ socket: LoopbackSocket) -> Bool {
        state.withLock { state in
            guard !state.isStopped else { return false }
            state.sockets[ObjectIdentifier(socket)] = socket
            state.count += 1
            return true
        }
    }

    /// The number of connections so far.
    var count: Int { state.withLock { $0.count } }

    /// Removes a connection after its descriptor was closed.
    func remove(_ socket: LoopbackSocket) {
        _ = state.withLock { $0.sockets.removeValue(forKey: ObjectIdentifier(socket)) }
    }

    /// Ends every connection and every wait of its thread, and refuses new ones. It does not wait for the threads.
    func stop() {
        let sockets = state.withLock { state in
            state.isStopped = true
            return Array(state.sockets.values)
        }
        stopping.open()
        for socket in sockets { socket.interrupt() }
    }
}
