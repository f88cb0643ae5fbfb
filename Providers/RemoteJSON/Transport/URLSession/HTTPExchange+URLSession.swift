import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Foundation: `URLSession` is what tells.

extension URLSessionTask: HTTPExchangeWork {
    /// On Linux a suspended task loses its connection.
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
    /// Follows a redirect or refuses it; gives no answer at all once the task was cancelled.
    func didReceiveRedirect(to url: URL?, answer: (URLRequest?) -> Void) {
        #if canImport(FoundationNetworking)
            // There the next request would come without its body: a question about nobody.
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

    /// Takes the answer to a request that would have to prove who it is. It has a status and no body.
    func didRefuseToAuthenticate(_ response: URLResponse?) {
        guard let response = response as? HTTPURLResponse else { return }
        didReceive(response)
        // The answer to the challenge ends the task.
        didCompleteWithoutBody()
    }

    func didComplete(_ error: (any Error)?, response: URLResponse?) {
        if let error {
            // What libcurl below `URLSession` on Linux says of a line of the header that is longer than it takes.
            let isTooLong = !hasHead && error.localizedDescription == "Out of memory"
            return didComplete(isTooLong ? .headerIsTooLarge : HTTPTransportError(describing: error))
        }
        if let response, !hasHead { didReceive(response) }
        didComplete(nil)
    }
}
