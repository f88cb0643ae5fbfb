import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Foundation: `URLSession` is the client.

/// A session delegate that forwards each callback to the exchange of its task.
final class URLSessionTransportDelegate: NSObject, URLSessionDataDelegate {
    private let exchanges = Mutex<[Int: HTTPExchange]>([:])
    /// The application's delegate, which answers authentication challenges.
    private let authentication: (any URLSessionTaskDelegate)?

    init(authentication: (any URLSessionTaskDelegate)?) {
        self.authentication = authentication
    }

    func add(_ exchange: HTTPExchange, for task: URLSessionTask) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    private func exchange(for task: URLSessionTask) -> HTTPExchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        exchange(for: dataTask)?.didReceive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(for: dataTask)?.didReceive(data)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        guard let exchange = exchange(for: task) else { return completionHandler(nil) }
        exchange.didReceiveRedirect(to: newRequest.url, answer: completionHandler)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
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
            let method = challenge.protectionSpace.authenticationMethod
            let isPassword = [
                NSURLAuthenticationMethodDefault, NSURLAuthenticationMethodHTTPBasic,
                NSURLAuthenticationMethodHTTPDigest, NSURLAuthenticationMethodHTMLForm,
            ].contains(method)
            // The system answers challenges for trust, client certificates, Negotiate and NTLM.
            guard isPassword else { return completionHandler(.performDefaultHandling, nil) }
        #endif
        exchange(for: task)?.didRefuseToAuthenticate(challenge.failureResponse ?? task.response)
        completionHandler(.cancelAuthenticationChallenge, nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        exchange?.didComplete(error, response: task.response)
    }
}
