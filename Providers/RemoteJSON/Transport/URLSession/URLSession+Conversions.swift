import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Foundation: its types are converted to ours and back.

extension HTTPTransportHeaders {
    /// Makes the fields of an answer, sorted by name in lower case, since Foundation keeps no order.
    init(_ response: HTTPURLResponse) {
        self.init()
        let names = Set(response.allHeaderFields.keys.compactMap { ($0 as? String)?.lowercased() })
        for name in names.sorted() {
            guard let value = response.value(forHTTPHeaderField: name) else { continue }
            append(name: name, value: value)
        }
    }
}

extension URLRequest {
    init(_ request: HTTPTransportRequest, url: URL, headers: HTTPTransportHeaders) {
        self.init(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 24 * 3600)
        httpMethod = request.body == nil ? "GET" : "POST"
        httpBody = request.body
        httpShouldHandleCookies = false
        for field in headers.fields { addValue(field.value, forHTTPHeaderField: field.name) }
        #if canImport(FoundationNetworking)
            // URLSession on Linux decodes gzip without a limit, so this asks for uncompressed answers.
            setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        #endif
    }
}

extension HTTPTransportError {
    /// Makes an error from one of `URLSession`.
    init(describing error: any Error) {
        let code: Code =
            switch (error as? URLError)?.code {
            case .cancelled?: .cancelled
            case .timedOut?: .timedOut
            case .httpTooManyRedirects?: .tooManyRedirects
            case .redirectToNonExistentLocation?, .unsupportedURL?: .redirectRefused
            case .cannotDecodeContentData?, .cannotDecodeRawData?, .cannotParseResponse?: .incomplete
            default: .connection
            }
        let number = (error as? URLError).map { " (URLError \($0.code.rawValue))" } ?? ""
        self.init(code, reason: "the request failed\(number): \(error.localizedDescription)")
    }
}
