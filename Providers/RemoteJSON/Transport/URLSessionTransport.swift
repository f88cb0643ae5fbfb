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
/// It is the default on Apple's systems. To pin certificates, to avoid constrained or expensive networks, or to wait for
/// connectivity, pass a configuration and a delegate:
///
/// ```swift
/// let network = URLSessionConfiguration.ephemeral
/// network.allowsExpensiveNetworkAccess = false
/// configuration.transport = URLSessionTransport(configuration: network, delegate: pinning)
/// ```
///
/// On Linux providers use libcurl instead, because there a server that closes the connection in the middle of its header
/// ends a process that uses `URLSession` (Swift 6.3), and an answer that is ahead of its reader can't be held back.
public final class URLSessionTransport: HTTPTransport {
    private let delegate: SessionDelegate
    /// Makes the session with the first request.
    private let session: Mutex<URLSession?> = Mutex(nil)
    private let configuration: URLSessionConfiguration

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - configuration: The settings of the session, which are used except for cookies, cache and stored credentials.
    ///   - delegate: The delegate that answers authentication challenges, by
    ///     `urlSession(_:task:didReceive:completionHandler:)` or, if it lacks that method, by
    ///     `urlSession(_:didReceive:completionHandler:)`. If it has neither, the system answers all challenges except
    ///     those for a password, which are refused.
    public init(
        configuration: URLSessionConfiguration = .ephemeral, delegate: (any URLSessionTaskDelegate)? = nil
    ) {
        self.delegate = SessionDelegate(authentication: delegate)
        // The session has a copy, so that later changes from outside have no effect.
        let own = (configuration.copy() as? URLSessionConfiguration) ?? .ephemeral
        own.urlCache = nil
        own.httpCookieStorage = nil
        own.httpCookieAcceptPolicy = .never
        own.httpShouldSetCookies = false
        own.urlCredentialStorage = nil
        self.configuration = own
    }

    deinit {
        // A session keeps itself and its delegate alive until it is invalidated. Answers that are still read may go on.
        session.withLock { $0?.finishTasksAndInvalidate() }
    }

    /// Sends a request and returns with the header of the answer.
    public func response(to request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
        var own = URLRequest(url: request.url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 24 * 3600)
        own.httpMethod = request.body == nil ? "GET" : "POST"
        own.httpBody = request.body
        own.httpShouldHandleCookies = false
        for (name, value) in request.headers { own.setValue(value, forHTTPHeaderField: name) }
        #if canImport(FoundationNetworking)
            // It decodes gzip without a limit there, so this asks for uncompressed answers.
            own.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        #endif
        let session = session.withLock { session in
            let made = session ?? URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
            session = made
            return made
        }
        let task = session.dataTask(with: own)
        let arriving = ArrivingResponse(limit: request.maximumWaitingBytes) {
            task.cancel()
        } proceed: {
            #if !canImport(FoundationNetworking)
                task.resume()
            #endif
        }
        delegate.add(arriving, for: task)
        task.resume()
        return try await arriving.response()
    }
}

/// A session delegate that forwards each callback to the answer of its task.
private final class SessionDelegate: NSObject, URLSessionDataDelegate {
    private let responses = Mutex<[Int: ArrivingResponse]>([:])
    /// The application's delegate, which answers authentication challenges.
    private let authentication: (any URLSessionTaskDelegate)?

    init(authentication: (any URLSessionTaskDelegate)?) { self.authentication = authentication }

    func add(_ response: ArrivingResponse, for task: URLSessionTask) {
        responses.withLock { $0[task.taskIdentifier] = response }
    }

    private func response(of task: URLSessionTask) -> ArrivingResponse? {
        responses.withLock { $0[task.taskIdentifier] }
    }

    private func receive(_ head: URLResponse?, of task: URLSessionTask) {
        guard let head = head as? HTTPURLResponse, let response = response(of: task), !response.hasHead else { return }
        let names = Set(head.allHeaderFields.keys.compactMap { $0 as? String })
        let fields = names.compactMap { name in head.value(forHTTPHeaderField: name).map { (name, $0) } }
        response.didReceiveHead(status: head.statusCode, headers: Dictionary(fields) { first, _ in first })
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        receive(response, of: dataTask)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard let response = response(of: dataTask), !response.accepts(data, keepsExcess: true) else { return }
        #if canImport(FoundationNetworking)
            // A suspended task loses its connection there.
            response.didComplete(HTTPFailure("the body is too large, or ahead of its reader by too many bytes"))
            dataTask.cancel()
        #else
            dataTask.suspend()
            // The reader may have read meanwhile.
            if !response.isHeldBack { dataTask.resume() }
        #endif
    }

    /// Ends the task with the redirect as its response. On Linux an answer after a cancellation would trap.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        receive(response, of: task)
        guard let arriving = self.response(of: task) else { return completionHandler(nil) }
        arriving.didComplete()
        arriving.unlessCancelled { completionHandler(nil) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            // On Linux each method of the protocol has a default, so the application's delegate can always be called.
            if let authentication {
                return authentication.urlSession(
                    session, task: task, didReceive: challenge, completionHandler: completionHandler)
            }
        // Default handling never ends on Linux, not even by a timeout.
        #else
            if let ask = authentication?.urlSession(_:task:didReceive:completionHandler:) {
                return ask(session, task, challenge, completionHandler)
            }
            let sessionDelegate: (any URLSessionDelegate)? = authentication
            if let ask = sessionDelegate?.urlSession(_:didReceive:completionHandler:) {
                return ask(session, challenge, completionHandler)
            }
            let isPassword = [
                NSURLAuthenticationMethodDefault, NSURLAuthenticationMethodHTTPBasic,
                NSURLAuthenticationMethodHTTPDigest, NSURLAuthenticationMethodHTMLForm,
            ].contains(challenge.protectionSpace.authenticationMethod)
            // The system answers challenges for trust, client certificates, Negotiate and NTLM.
            guard isPassword else { return completionHandler(.performDefaultHandling, nil) }
        #endif
        // The answer has a status and no body. What is said to the challenge ends the task.
        receive(challenge.failureResponse ?? task.response, of: task)
        if let response = response(of: task), response.hasHead { response.didComplete() }
        completionHandler(.cancelAuthenticationChallenge, nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if error == nil { receive(task.response, of: task) }
        let response = responses.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        let number = (error as? URLError).map { " (URLError \($0.code.rawValue))" } ?? ""
        response?.didComplete(error.map { HTTPFailure("the request failed\(number): \($0.localizedDescription)") })
    }
}
