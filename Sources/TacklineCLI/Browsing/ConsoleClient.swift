#if CommandLine
    import Foundation
    import TacklineCLibrary
    import TacklineRemoteJSON

    // Foundation: `URL` is the address of a request, `Data` its body.

    /// A client for a console, by the transport of remote documents.
    struct ConsoleClient: Sendable {
        let address: ConsoleAddress
        /// The longest time without progress.
        let timeout: Duration
        let transport = makeTransport()
        /// The largest number of bytes in an answer.
        static let limit = 64 << 20

        /// Sends a request and returns the answer, which may be a redirect.
        ///
        /// - Parameters:
        ///   - body: The JSON to post; `nil` for a GET request.
        ///   - cookie: The cookie of the session; `nil` if there is none.
        func response(
            to path: String, body: String? = nil, cookie: String?
        ) async throws(HTTPTransportError) -> HTTPTransportResponse {
            var request = try request(path, cookie: cookie)
            if let body {
                request.body = Data(body.utf8)
                request.headers["Content-Type"] = "application/json"
            }
            return try await transport.response(to: request)
        }

        /// Opens a stream and passes on its bytes until it ends.
        ///
        /// - Parameter idle: The longest time without any bytes.
        /// - Returns: The status of the answer if it is not 200; otherwise `nil`, after the stream has ended.
        func stream(
            _ path: String, cookie: String?, idle: Duration, onBytes: @escaping @Sendable (Data) -> Void
        ) async throws(HTTPTransportError) -> Int? {
            var request = try request(path, cookie: cookie)
            request.idleTimeout = idle
            let stream = try await transport.stream(request)
            guard stream.status == 200 else { return stream.status }
            do {
                for try await bytes in stream.chunks { onBytes(bytes) }
            } catch {
                throw error as? HTTPTransportError ?? HTTPTransportError(.connection, reason: "\(error)")
            }
            return nil
        }

        /// Returns a transport that uses no proxy, which could not reach this machine and would see the token.
        private static func makeTransport() -> any HTTPTransport {
            #if canImport(FoundationNetworking)
                // libcurl goes by this variable.
                setenv("no_proxy", "*", 1)
                return RemoteJSONConfiguration().makeTransport(provider: "tackline browse")
            #else
                let configuration = URLSessionConfiguration.ephemeral
                configuration.connectionProxyDictionary = [:]
                return URLSessionTransport(configuration: configuration)
            #endif
        }

        private func request(_ path: String, cookie: String?) throws(HTTPTransportError) -> HTTPTransportRequest {
            guard let url = URL(string: "http://\(address.authority)\(path)") else {
                throw HTTPTransportError(.connection, reason: "its address makes no URL")
            }
            var request = HTTPTransportRequest(url: url)
            request.headers["Origin"] = "http://\(address.authority)"
            request.headers["User-Agent"] = "tackline-browse/1"
            request.headers["Cookie"] = cookie
            request.maximumBodyBytes = Self.limit
            request.responseHeaderTimeout = timeout
            request.idleTimeout = timeout
            // The session is in the header of a redirect.
            request.maximumRedirects = 0
            return request
        }
    }
#endif
