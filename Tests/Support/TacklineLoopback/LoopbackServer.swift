private import Synchronization
private import TacklineCLibrary

// For URL and Thread.
public import Foundation

/// A small HTTP/1.1 server on 127.0.0.1, for tests and examples.
///
/// It answers each request with its handler's reply: a well-formed ``LoopbackResponse``, or a script of exact bytes,
/// pauses and endings that imitates a broken server. It listens on a free port from the moment it is made until it is
/// stopped or released.
///
/// Each connection has a thread of its own and serves one request, unless the response keeps it. So a client never uses
/// a connection that is being closed, and requests map to connections one to one. There is no TLS and no HTTP/2.
public final class LoopbackServer: Sendable {
    /// A closure that answers a request. It is called on the connection's own thread, for several requests at once, and
    /// may block.
    public typealias Handler = @Sendable (LoopbackRequest) -> LoopbackReply

    /// The root of the server, such as `http://127.0.0.1:49152/`.
    public let url: URL
    /// The port on which the server listens until it is stopped.
    public let port: UInt16

    private let state = LoopbackState()

    /// Starts a server.
    ///
    /// - Throws: ``LoopbackServerError`` if the system provides no socket or port. Nothing is left open then.
    public init(handler: @escaping Handler) throws(LoopbackServerError) {
        let listening = try LoopbackSocket.listening()
        port = listening.port
        guard let url = URL(string: "http://127.0.0.1:\(port)/") else { throw LoopbackServerError(code: 0) }
        self.url = url
        // The threads must not retain the server, or it would never be released and stopped.
        Thread.detachNewThread { [state] in
            while !state.stopping.isOpen {
                guard let socket = listening.accepted() else { continue }
                guard state.insert(socket) else { break }
                Thread.detachNewThread {
                    let connection = LoopbackConnection(socket: socket, stopping: state.stopping)
                    connection.run { request in
                        state.record(request)
                        return handler(request)
                    }
                    state.remove(socket)
                }
            }
            listening.dispose()
            state.portIsClosed.open()
        }
    }

    /// Starts a server that gives these replies in the order in which requests arrive, and then repeats the last one.
    /// Without replies, every request gets status 500.
    public convenience init(replies: [LoopbackReply]) throws(LoopbackServerError) {
        let rest = Mutex(replies[...])
        try self.init { _ in
            rest.withLock { rest in
                guard let first = rest.first else { return .response(.text("There is no reply.\n", status: 500)) }
                if rest.count > 1 { rest.removeFirst() }
                return first
            }
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
    public var requests: [LoopbackRequest] { state.requests }

    /// The number of connections that clients have opened so far.
    public var connectionCount: Int { state.connectionCount }

    /// Waits until at least `count` requests have been received since the server started.
    ///
    /// - Returns: The received requests; fewer than `count` if the server was stopped.
    /// - Throws: `CancellationError` as soon as the task is cancelled, unless `count` requests were received by then.
    @discardableResult
    public func waitForRequests(count: Int) async throws(CancellationError) -> [LoopbackRequest] {
        try await state.wait(forCount: count)
        return requests
    }

    /// Stops the server. Stopping it again does nothing.
    ///
    /// On return the port is closed, every connection has ended (the client receives an end without the rest of its
    /// answer), and every wait at a gate and in ``waitForRequests(count:)`` ends. This function blocks only briefly, and
    /// may be called from a handler.
    public func stop() {
        state.stop()
        state.portIsClosed.block()
    }
}

/// The reason why a ``LoopbackServer`` could not start: a system call failed.
public struct LoopbackServerError: Error {
    /// The error number (`errno`) of the operating system.
    let code: Int32
}

/// The received requests and the open connections of a server.
private final class LoopbackState: Sendable {
    private struct State {
        var requests: [LoopbackRequest] = []
        var waiters: [(count: Int, gate: LoopbackGate)] = []
        var sockets: [ObjectIdentifier: LoopbackSocket] = [:]
        var connectionCount = 0
    }

    /// The gate that ``stop()`` opens.
    let stopping = LoopbackGate()
    let portIsClosed = LoopbackGate()

    private let state = Mutex(State())

    var requests: [LoopbackRequest] { state.withLock { $0.requests } }
    var connectionCount: Int { state.withLock { $0.connectionCount } }

    func record(_ request: LoopbackRequest) {
        let reached = state.withLock { state in
            state.requests.append(request)
            return state.waiters.filter { $0.count <= state.requests.count }
        }
        for waiter in reached { waiter.gate.open() }
    }

    /// Waits until `count` requests were received in total, or the server is stopped.
    func wait(forCount count: Int) async throws(CancellationError) {
        let gate = LoopbackGate()
        state.withLock { state in
            guard state.requests.count < count, !stopping.isOpen else { return gate.open() }
            state.waiters.append((count, gate))
        }
        defer { state.withLock { $0.waiters.removeAll { $0.gate === gate } } }
        try await gate.wait()
    }

    /// Adds a connection. Returns `false` if ``stop()`` was called.
    func insert(_ socket: LoopbackSocket) -> Bool {
        state.withLock { state in
            guard !stopping.isOpen else { return false }
            state.sockets[ObjectIdentifier(socket)] = socket
            state.connectionCount += 1
            return true
        }
    }

    /// Removes a connection after its descriptor was closed.
    func remove(_ socket: LoopbackSocket) {
        state.withLock { _ = $0.sockets.removeValue(forKey: ObjectIdentifier(socket)) }
    }

    /// Ends every connection and every wait, and refuses new ones. It does not wait for the threads.
    func stop() {
        stopping.open()
        let (sockets, waiters) = state.withLock { (Array($0.sockets.values), $0.waiters) }
        for socket in sockets { socket.interrupt() }
        for waiter in waiters { waiter.gate.open() }
    }
}
