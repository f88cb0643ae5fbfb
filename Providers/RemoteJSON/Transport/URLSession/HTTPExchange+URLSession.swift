import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Foundation: `URLSession` delivers the answer.

extension URLSessionTask: HTTPExchangeWork {
    /// Suspends the task. This is not possible on Linux, where a suspended task loses its connection.
    func holdBack() -> Bool {
        #if canImport(FoundationNetworking)
            return false
        #else
            suspend()
            return true
        #endif
    }

    func proceed() {
        #if !canImport(FoundationNetworking)
            resume()
        #endif
    }
}

extension HTTPExchange {
    /// Follows a redirect or refuses it. A redirect of a cancelled task is not answered.
    func didReceiveRedirect(to url: URL?, answer: (URLRequest?) -> Void) {
        // The task then ends with the redirect as its response.
        guard request.maximumRedirects > 0 else { return unlessCancelled { answer(nil) } }
        #if canImport(FoundationNetworking)
            // On Linux the next request would be sent without its body.
            guard request.body == nil else {
                let reason = "the server redirects a POST, which URLSession on this system cannot repeat"
                didComplete(HTTPTransportError(.redirectRefused, reason: reason))
                return unlessCancelled { answer(nil) }
            }
        #endif
        let headers = didReceiveRedirect(to: url)
        // Without a next request the task ends by itself.
        let next = headers.flatMap { headers in url.map { URLRequest(request, url: $0, headers: headers) } }
        unlessCancelled { answer(next) }
    }

    func didReceive(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else { return }
        didReceiveHead(status: response.statusCode, headers: HTTPTransportHeaders(response))
    }

    /// Receives the answer to a request that was refused for lack of authentication. It has a status and no body.
    func didRefuseToAuthenticate(_ response: URLResponse?) {
        guard let response = response as? HTTPURLResponse else { return }
        didReceive(response)
        // The answer to the challenge ends the task.
        didCompleteWithoutBody()
    }

    func didComplete(_ error: (any Error)?, response: URLResponse?) {
        if let error {
            // On Linux this is libcurl's error for a header line that is too long.
            let isTooLong = !hasHead && error.localizedDescription == "Out of memory"
            return didComplete(isTooLong ? .headerIsTooLarge : HTTPTransportError(describing: error))
        }
        if let response, !hasHead { didReceive(response) }
        didComplete(nil)
    }
}
