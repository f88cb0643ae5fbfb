private import Synchronization

// For URL.
#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A small HTTP/1.1 server on 127.0.0.1, for tests and examples.
///
/// It answers each request with what its handler says: a well-formed ``LoopbackResponse``, or a script of exact bytes,
/// pauses and endings that plays a broken server. It listens on a free port from the moment it is made until it is
/// stopped or released.
///
/// Each connection serves one request and is then closed (`Connection: close`): a client never meets a connection that is
/// just being closed, and requests map to connections one to one. Connections are served in parallel, each on a thread of
/// its own, at most 512; further ones are closed at once. Requests are limited to 64 KiB of headers (else status 431) and
/// 16 MiB of body (413); malformed ones get 400. None of these reach the handler. There is no TLS and no HTTP/2.
public final class LoopbackServer: Sendable {
    /// Answers a request. It is called on the connection's own thread, for several requests at once, and may block.
    public typealias Handler = @Sendable (LoopbackRequest) -> LoopbackReply

    /// The root of the server, such as `http://127.0.0.1:49152/`.
    public let url: URL
    /// The port on which it listens, or did until it was stopped.
    public let port: UInt16

    private let listener: LoopbackListener
    private let log = LoopbackRequestLog()
    private let connections = LoopbackConnections()

    /// Starts a server.
    ///
    /// - Throws: ``LoopbackServerError`` when the system gives no socket, port or thread. Nothing is left open then.
    public init(handler: @escaping Handler) throws(LoopbackServerError) {
        listener = try LoopbackListener()
        port = listener.port
        guard let url = URL(string: "http://127.0.0.1:\(listener.port)/") else {
            throw LoopbackServerError(operation: "make a URL of port \(listener.port)", code: 0)
        }
        self.url = url
        // The threads must not keep the server itself alive, or it would never be released and stopped.
        try listener.start { [log, connections] socket in
            guard connections.insert(socket) else { return socket.dispose() }
            do {
                try LoopbackThread.start {
                    let connection = LoopbackConnection(socket: socket, stopping: connections.stopping)
                    connection.run { request in
                        log.record(request)
                        return handler(request)
                    }
                    connections.remove(socket)
                }
            } catch {
                // The client sees a connection that is closed without an answer.
                socket.dispose()
                connections.remove(socket)
            }
        }
    }

    /// Starts a server that gives these replies in the order in which requests arrive, and then the last one for ever.
    /// Without any, every request gets status 500.
    public convenience init(replies: [LoopbackReply]) throws(LoopbackServerError) {
        let queue = LoopbackReplyQueue(replies)
        try self.init { _ in queue.next() }
    }

    /// Starts a server for documents, which can be changed while it runs.
    public convenience init(documents: LoopbackDocuments) throws(LoopbackServerError) {
        try self.init { request in documents.reply(to: request) }
    }

    deinit {
        stop()
    }

    /// The URL of a path on this server; a `?` in it is encoded, so add a query to the result.
    public func url(path: String) -> URL {
        url.appending(path: path)
    }

    /// The requests so far, in the order in which they were complete. Each is recorded before its handler is called.
    ///
    /// Refused ones are not among them. Some 64 MiB of requests are kept; past that the older half is dropped.
    public var requests: [LoopbackRequest] {
        log.requests
    }

    /// Waits until at least `count` requests have been received since the server started.
    ///
    /// - Returns: The requests so far; fewer than `count` if the server was stopped.
    /// - Throws: `CancellationError` as soon as the task is cancelled, unless so many have been received by then.
    @discardableResult
    public func waitForRequests(count: Int) async throws(CancellationError) -> [LoopbackRequest] {
        try await log.wait(forCount: count)
        return log.requests
    }

    /// Stops the server; doing so again does nothing.
    ///
    /// On return the port is closed, every connection has been ended (the client sees an end without the rest of its answer),
    /// and every wait at a gate and in ``waitForRequests(count:)`` goes on. Threads whose handler is still at work close
    /// their descriptors when it returns; ``waitUntilEnded()`` waits for them. Blocks only for a moment, and may be called
    /// from a handler.
    public func stop() {
        listener.stop()
        connections.stop()
        log.close()
    }

    /// Waits until the server has been stopped and all its threads are done and its descriptors closed.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled, unless that is so by then.
    public func waitUntilEnded() async throws(CancellationError) {
        try await connections.ended.wait()
    }
}
