public import AsyncHTTPClient
import Foundation
public import NIOCore
import NIOHTTP1
public import TacklineRemoteJSON

/// A transport that uses AsyncHTTPClient, for servers that depend on it anyway. It has one connection pool for all
/// requests, supports HTTP/2, and runs on the server's event loops.
///
/// ```swift
/// configuration.transport = AsyncHTTPClientTransport(eventLoopGroup: app.eventLoopGroup)
/// ```
///
/// The transport has a client and a connection pool of its own, since a client follows redirects by its own rules and
/// not by those of the request. Providers can share one transport.
public final class AsyncHTTPClientTransport: HTTPTransport {
    private static let maximumHeaderBytes = 64 << 10

    private let client: HTTPClient
    private let clock: any Clock<Duration>

    /// Makes a transport.
    ///
    /// - Parameters:
    ///   - configuration: The settings for certificates, proxy, pool and HTTP version. Two of its settings are not used:
    ///     redirects follow the rules of the request, and only the provider repeats failed connections. Requests ask for
    ///     uncompressed answers. A compressed answer is decoded nevertheless, up to 32 MiB unless the configuration has
    ///     another limit.
    ///   - eventLoopGroup: The event loops of the connections. The default is the client's own. The group must outlive
    ///     the transport.
    ///   - clock: The clock for the timeouts of header and idleness.
    public init(
        configuration: HTTPClient.Configuration = HTTPClient.Configuration(),
        eventLoopGroup: any EventLoopGroup = HTTPClient.defaultEventLoopGroup,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        var own = configuration
        own.redirectConfiguration = .disallow
        own.connectionPool.retryConnectionEstablishment = false
        if case .disabled = own.decompression { own.decompression = .enabled(limit: .size(32 << 20)) }
        client = HTTPClient(eventLoopGroup: eventLoopGroup, configuration: own)
        self.clock = clock
    }

    deinit {
        client.shutdown { _ in }
    }

    /// Sends a request and returns with the header of the answer. The body is received as it is read, so a server that
    /// is ahead of the reader is held back.
    public func stream(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportStream {
        let (clock, limit) = (clock, request.responseHeaderTimeout)
        do {
            let late = "the server sent no header within \(limit.components.seconds) seconds"
            let answer = try await within(limit, on: clock, late) { try await self.answer(to: request) }
            let headers = HTTPTransportHeaders(answer.headers)
            guard headers.byteCount <= Self.maximumHeaderBytes else { throw HTTPParserError.headerOverflow }
            let body = BodyReader(answer.body, of: self, hasContent: answer.status != .notModified)
            let chunks = AsyncThrowingStream<Data, any Error> {
                try await body.next(within: request.idleTimeout, on: clock)
            }
            return HTTPTransportStream(status: Int(answer.status.code), headers: headers, chunks: chunks)
        } catch {
            throw HTTPTransportError(error, hasHead: false)
        }
    }

    /// Sends a request, and follows redirects by the rules of the request.
    private func answer(to request: HTTPTransportRequest) async throws -> HTTPClientResponse {
        var hop = Hop(url: request.url, headers: request.headers)
        while true {
            var next = HTTPClientRequest(url: hop.url.absoluteString)
            if let body = request.body {
                next.method = .POST
                next.body = .bytes(ByteBuffer(bytes: body))
            }
            for field in hop.headers.fields { next.headers.add(name: field.name, value: field.value) }
            next.headers.replaceOrAdd(name: "Accept-Encoding", value: "identity")
            let answer = try await client.execute(next, deadline: .distantFuture)
            let isRedirect = [301, 302, 303, 307, 308].contains(answer.status.code)
            guard isRedirect, request.maximumRedirects > 0, let location = answer.headers.first(name: "Location") else {
                return answer
            }
            try hop.follow(location, of: request)
        }
    }
}

/// One request of a chain of redirects.
private struct Hop {
    var url: URL
    var headers: HTTPTransportHeaders
    var count = 0
    var hasLeftOrigin = false

    /// Turns to the target of a redirect. A redirect from http to https on the same host stays in the same origin. Once
    /// another origin was visited, nothing private is sent any more, not even on a redirect back.
    mutating func follow(_ location: String, of request: HTTPTransportRequest) throws {
        count += 1
        guard count <= request.maximumRedirects else {
            throw HTTPTransportError(
                .tooManyRedirects, reason: "more than \(request.maximumRedirects) redirects in a row")
        }
        guard let target = URL(string: location, relativeTo: url)?.absoluteURL, target.host() != nil,
            let scheme = target.scheme?.lowercased(), ["http", "https"].contains(scheme)
        else {
            throw HTTPTransportError(.redirectRefused, reason: "the server redirects to what is neither http nor https")
        }
        if url.scheme?.lowercased() == "https", scheme == "http" {
            throw HTTPTransportError(.redirectRefused, reason: "the server redirects from https to http")
        }
        let isSameHost = target.host()?.lowercased() == request.url.host()?.lowercased()
        let isUpgrade = scheme == "https" && request.url.scheme?.lowercased() == "http"
        let isSameOrigin = scheme == request.url.scheme?.lowercased() && Self.port(target) == Self.port(request.url)
        if !isSameHost || !(isUpgrade || isSameOrigin) { hasLeftOrigin = true }
        if hasLeftOrigin {
            guard request.allowsOtherOrigins, request.body == nil else {
                throw HTTPTransportError(.redirectRefused, reason: "the server redirects to another origin")
            }
            headers = HTTPTransportHeaders()
            for field in request.headers.fields
            where HTTPTransportRequest.headersForOtherOrigins.contains(field.name.lowercased()) {
                headers.append(name: field.name, value: field.value)
            }
        }
        url = target
    }

    private static func port(_ url: URL) -> Int {
        url.port ?? (url.scheme?.lowercased() == "https" ? 443 : 80)
    }
}

/// Reads a body for one reader. Releasing it ends the request.
private actor BodyReader {
    private var portions: HTTPClientResponse.Body.AsyncIterator
    /// The client is shut down with its transport, so this keeps it until the body was read.
    private let transport: AsyncHTTPClientTransport
    private let hasContent: Bool

    /// - Parameter hasContent: Whether the answer has a body, which its header may describe even if it has none. Such a
    ///   body is still read to its end, so that the client reuses the connection. The decoder then fails for lack of
    ///   data (swift-nio-extras 1.34), which is no failure of the answer.
    init(_ body: HTTPClientResponse.Body, of transport: AsyncHTTPClientTransport, hasContent: Bool) {
        portions = body.makeAsyncIterator()
        self.transport = transport
        self.hasContent = hasContent
    }

    /// Returns the next portion, or `nil` at the end.
    func next(within limit: Duration?, on clock: any Clock<Duration>) async throws -> Data? {
        do {
            guard let limit else { return try await receive() }
            let late = "nothing arrived for \(limit.components.seconds) seconds in the middle of the body"
            return try await within(limit, on: clock, late) { try await self.receive() }
        } catch  where !hasContent {
            return nil
        } catch {
            throw HTTPTransportError(error, hasHead: true)
        }
    }

    private func receive() async throws -> Data? {
        var portions = portions
        defer { self.portions = portions }
        return try await portions.next(isolation: self).map { Data($0.readableBytesView) }
    }
}

/// Runs an operation, and cancels it if it takes longer than allowed.
///
/// - Parameter late: The reason for the error if it takes longer.
private func within<Value: Sendable>(
    _ limit: Duration, on clock: any Clock<Duration>, _ late: String,
    _ operation: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask { try await operation() }
        group.addTask {
            try await clock.sleep(for: limit)
            throw HTTPTransportError(.timedOut, reason: late)
        }
        defer { group.cancelAll() }
        guard let first = try await group.next() else { throw CancellationError() }
        return first
    }
}

extension HTTPTransportError {
    /// Makes an error from one of the client, or returns one that is none of the client's as it is.
    fileprivate init(_ error: any Error, hasHead: Bool) {
        if let own = error as? HTTPTransportError {
            self = own
            return
        }
        let code: Code
        if case HTTPParserError.headerOverflow = error {
            code = .headerTooLarge
        } else {
            code =
                switch error as? HTTPClientError {
                case .cancelled?: .cancelled
                case .connectTimeout?, .readTimeout?, .deadlineExceeded?, .tlsHandshakeTimeout?: .timedOut
                default: error is CancellationError ? .cancelled : hasHead ? .incomplete : .connection
                }
        }
        self.init(code, reason: "the request failed: \(error)")
    }
}

extension HTTPTransportHeaders {
    fileprivate init(_ headers: NIOHTTP1.HTTPHeaders) {
        self.init()
        for (name, value) in headers { append(name: name, value: value) }
    }
}
