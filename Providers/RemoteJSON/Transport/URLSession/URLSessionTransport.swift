import Synchronization

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

// Foundation: `URLSession` is what this stands on.

/// Carries requests with a `URLSession` of its own, which keeps no cookies, no cache and no credentials.
///
/// To pin certificates, to stay off constrained or expensive networks, or to wait for connectivity, give it a
/// configuration and a delegate:
///
/// ```swift
/// let network = URLSessionConfiguration.ephemeral
/// network.allowsExpensiveNetworkAccess = false
/// configuration.transport = URLSessionTransport(configuration: network, delegate: pinning)
/// ```
///
/// It works around what `URLSession` does on Linux (Swift 6.3): it never ends at a 401 that asks for a password, cuts
/// timeouts to whole seconds, delivers megabytes after a task was cancelled, decodes gzip without limit, and takes the
/// `Authorization` along to other origins. Three faults there cannot be worked around: the process ends when a server
/// closes the connection in good order in the middle of its header, each request leaves some 0.2 kB behind, and a stream
/// that is ahead of its reader is ended instead of held back. So providers on Linux use a ``CurlTransport`` unless they are
/// given another.
public final class URLSessionTransport: HTTPTransport {
    private let time: MonotonicTime
    private let delegate: URLSessionTransportDelegate
    /// The configuration, until the session is made of it.
    private let session: Mutex<Session>

    private enum Session {
        case planned(URLSessionConfiguration)
        case made(URLSession)
    }

    /// Makes a transport. The session is made with the first request.
    ///
    /// - Parameters:
    ///   - configuration: Taken as it is, but for cookies, cache and stored credentials, of which the session gets none.
    ///   - delegate: Is asked about authentication: `urlSession(_:task:didReceive:completionHandler:)`, and where it has not
    ///     that one `urlSession(_:didReceive:completionHandler:)`. Where it has neither, servers are trusted as the system
    ///     trusts them, and so is every other method answered, except that nobody is asked for a password.
    ///   - clock: Measures the timeouts for header and idleness.
    public init(
        configuration: URLSessionConfiguration = .ephemeral, delegate: (any URLSessionTaskDelegate)? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        time = MonotonicTime(clock)
        self.delegate = URLSessionTransportDelegate(authentication: delegate)
        // A copy, so that nobody changes it from outside.
        let own = (configuration.copy() as? URLSessionConfiguration) ?? .ephemeral
        own.urlCache = nil
        own.httpCookieStorage = nil
        own.httpCookieAcceptPolicy = .never
        own.httpShouldSetCookies = false
        own.urlCredentialStorage = nil
        session = Mutex(.planned(own))
    }

    deinit {
        // A session keeps itself and its delegate alive until it is told to end. Whoever still reads a stream may go on;
        // cancelling from here could meet a redirect that is being answered.
        session.withLock { if case .made(let session) = $0 { session.finishTasksAndInvalidate() } }
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
    /// limit of the request, and then on the wire; on Linux the stream is ended there.
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
            switch session {
            case .made(let made): return made
            case .planned(let configuration):
                let made = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
                session = .made(made)
                return made
            }
        }
    }
}
