import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Foundation: `URLSession` is what this stands on.

/// Carries requests with a `URLSession` of its own, which keeps no cookies, no cache and no credentials.
///
/// It works around what `URLSession` does on Linux (Swift 6.3): it never ends at a 401 that asks for a password, cuts
/// timeouts to whole seconds, delivers megabytes after a task was cancelled, decodes gzip without limit, and takes the
/// `Authorization` along to other origins. Two faults there cannot be worked around: the process ends when a server
/// closes the connection in good order in the middle of its header, and each request leaves some 0.2 kB behind. So
/// providers on Linux use a ``CurlTransport`` unless they are given another.
public final class URLSessionTransport: HTTPTransport {
    private let time: MonotonicTime
    private let delegate = URLSessionTransportDelegate()
    private let session = Mutex<URLSession?>(nil)

    /// Makes a transport. The session is made with the first request.
    ///
    /// - Parameter clock: Measures the timeouts for header and idleness.
    public init(clock: any Clock<Duration> = ContinuousClock()) {
        time = MonotonicTime(clock)
    }

    deinit {
        // A session keeps itself and its delegate alive until it is told to end. Whoever still reads a stream may go on;
        // cancelling from here could meet a redirect that is being answered.
        session.withLock { $0?.finishTasksAndInvalidate() }
    }

    /// Sends a request and collects the answer. The timeouts are measured from the call and from the last bytes.
    public func response(
        to request: HTTPTransportRequest
    ) async throws(HTTPTransportError) -> HTTPTransportResponse {
        let exchange = begin(request, collects: true)
        let body = try await exchange.body()
        let head = try await exchange.head()
        return HTTPTransportResponse(status: head.status, headers: head.headers, body: body)
    }

    /// Sends a request and returns with the header of the answer. The body waits in memory until it is read, up to the
    /// limit of the request.
    public func stream(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportStream {
        try await HTTPExchangeLease.stream(begin(request, collects: false))
    }

    private func begin(_ request: HTTPTransportRequest, collects: Bool) -> HTTPExchange {
        let exchange = HTTPExchange(request, collects: collects, time: time)
        let task = startedSession().dataTask(with: URLRequest(request, url: request.url, headers: request.headers))
        delegate.add(exchange, for: task)
        exchange.start(task)
        return exchange
    }

    private func startedSession() -> URLSession {
        session.withLock { session in
            if let session { return session }
            let configuration = URLSessionConfiguration.ephemeral
            configuration.urlCache = nil
            configuration.httpCookieStorage = nil
            configuration.httpCookieAcceptPolicy = .never
            configuration.httpShouldSetCookies = false
            configuration.urlCredentialStorage = nil
            let made = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
            session = made
            return made
        }
    }
}
