import Synchronization

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

// Foundation: `URLSession` is the client.

/// A transport that uses a `URLSession` of its own, without cookies, cache and stored credentials.
///
/// To pin certificates, to avoid constrained or expensive networks, or to wait for connectivity, pass a configuration
/// and a delegate:
///
/// ```swift
/// let network = URLSessionConfiguration.ephemeral
/// network.allowsExpensiveNetworkAccess = false
/// configuration.transport = URLSessionTransport(configuration: network, delegate: pinning)
/// ```
///
/// On Linux the transport works around faults of `URLSession` (Swift 6.3). A 401 that asks for a password never ends.
/// Timeouts are cut to whole seconds. Megabytes arrive after a task was cancelled. Gzip is decoded without a limit.
/// `Authorization` is sent to other origins. Three faults remain: the process ends when a server closes the connection
/// in good order in the middle of its header, each request leaks about 0.2 kB, and a stream that is ahead of its reader
/// ends instead of being held back. Providers on Linux therefore use a ``CurlTransport`` by default.
public final class URLSessionTransport: HTTPTransport {
    private let time: MonotonicTime
    private let delegate: URLSessionTransportDelegate
    /// The configuration, until the session is made from it.
    private let session: Mutex<Session>

    private enum Session {
        case planned(URLSessionConfiguration)
        case made(URLSession)
    }

    /// Makes a transport. The session is made with the first request.
    ///
    /// - Parameters:
    ///   - configuration: The settings of the session, which are used except for cookies, cache and stored credentials.
    ///     The session has none of these.
    ///   - delegate: The delegate that answers authentication challenges, by
    ///     `urlSession(_:task:didReceive:completionHandler:)` or, if it lacks that method, by
    ///     `urlSession(_:didReceive:completionHandler:)`. If it has neither, the system answers all challenges except
    ///     those for a password, which are refused.
    ///   - clock: The clock for the timeouts of header and idleness.
    public init(
        configuration: URLSessionConfiguration = .ephemeral, delegate: (any URLSessionTaskDelegate)? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        time = MonotonicTime(clock)
        self.delegate = URLSessionTransportDelegate(authentication: delegate)
        // The session has a copy, so that later changes from outside have no effect.
        let own = (configuration.copy() as? URLSessionConfiguration) ?? .ephemeral
        own.urlCache = nil
        own.httpCookieStorage = nil
        own.httpCookieAcceptPolicy = .never
        own.httpShouldSetCookies = false
        own.urlCredentialStorage = nil
        session = Mutex(.planned(own))
    }

    deinit {
        // A session keeps itself and its delegate alive until it is invalidated. Streams that are still read may go on,
        // and cancelling here could meet a redirect that is being answered.
        session.withLock { if case .made(let session) = $0 { session.finishTasksAndInvalidate() } }
    }

    /// Sends a request and returns with the header of the answer. The timeouts are measured from the call and from the
    /// last bytes. The body waits in memory until it is read, up to the limit of the request. Beyond that the server is
    /// held back, or on Linux the request ends.
    public func stream(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportStream {
        try await answer(to: request, time) { exchange in
            let task = startedSession().dataTask(with: URLRequest(request, url: request.url, headers: request.headers))
            delegate.add(exchange, for: task)
            return task
        }
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
