public import AsyncHTTPClient
import Foundation
public import NIOCore
public import TacklineRemoteJSON

/// A transport that uses AsyncHTTPClient, for servers that depend on it anyway. It has one connection pool for all
/// requests, supports HTTP/2, and runs on the server's event loops.
///
/// ```swift
/// configuration.transport = AsyncHTTPClientTransport(eventLoopGroup: app.eventLoopGroup)
/// ```
///
/// The transport has a client and a connection pool of its own. Providers can share one transport.
public final class AsyncHTTPClientTransport: HTTPTransport {
    private let client: HTTPClient

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - configuration: The settings for certificates, proxy, pool and HTTP version. Two of its settings are not used: the
    ///     provider follows redirects, and only it repeats failed connections. Requests ask for uncompressed answers. A
    ///     compressed answer is decoded nevertheless, up to 32 MiB unless the configuration has another limit.
    ///   - eventLoopGroup: The event loops of the connections. The default is the client's own. The group must outlive
    ///     the transport.
    public init(
        configuration: HTTPClient.Configuration = HTTPClient.Configuration(),
        eventLoopGroup: any EventLoopGroup = HTTPClient.defaultEventLoopGroup
    ) {
        var own = configuration
        own.redirectConfiguration = .disallow
        own.connectionPool.retryConnectionEstablishment = false
        if case .disabled = own.decompression { own.decompression = .enabled(limit: .size(32 << 20)) }
        client = HTTPClient(eventLoopGroup: eventLoopGroup, configuration: own)
    }

    deinit {
        client.shutdown { _ in }
    }

    /// Sends a request and returns with the header of the answer. The body is received as it is read, so a server that
    /// is ahead of the reader is held back.
    public func response(to request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
        var own = HTTPClientRequest(url: request.url.absoluteString)
        if let body = request.body {
            own.method = .POST
            own.body = .bytes(ByteBuffer(bytes: body))
        }
        for (name, value) in request.headers { own.headers.add(name: name, value: value) }
        own.headers.replaceOrAdd(name: "Accept-Encoding", value: "identity")
        let answer = try await client.execute(own, deadline: .distantFuture)
        var headers: [String: String] = [:]
        for (name, value) in answer.headers {
            headers[name.lowercased()] = headers[name.lowercased()].map { "\($0), \(value)" } ?? value
        }
        let reader = BodyReader(answer.body, of: self)
        let body = AsyncThrowingStream<Data, any Error> { try await reader.next() }
        return HTTPTransportResponse(status: Int(answer.status.code), headers: headers, body: body)
    }
}

/// The body of an answer, which one task reads. It keeps the client alive.
private final class BodyReader: @unchecked Sendable {
    // Unchecked, and without a lock: a stream asks for one portion at a time.
    private var iterator: HTTPClientResponse.Body.AsyncIterator
    private let transport: AsyncHTTPClientTransport

    init(_ body: HTTPClientResponse.Body, of transport: AsyncHTTPClientTransport) {
        (iterator, self.transport) = (body.makeAsyncIterator(), transport)
    }

    func next() async throws -> Data? { try await iterator.next().map { Data($0.readableBytesView) } }
}
