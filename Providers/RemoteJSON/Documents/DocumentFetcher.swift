import Foundation
package import TacklineCore
import TacklineFiles

/// The result of one request.
package enum FetchResult: Sendable {
    case document(RemoteDocument)
    /// The current document is the newest.
    case unchanged
    /// There is no usable answer: with the code `rejected` for a document, `misconfigured` if the server refuses the URL or
    /// the authorization, and `network` otherwise.
    case failed(FlagError, status: Int = 0, retryAfter: Duration? = nil)

    /// The error for the callers of a request, or `nil` if it succeeded.
    package var error: FlagError? { if case .failed(let error, _, _) = self { error } else { nil } }

    static func rejected(_ reason: String, provider: String) -> FetchResult {
        let error = FlagError(
            .rejected, provider: provider, reason: "the document was rejected: \(reason)",
            advice: "Correct the document on the server; the values stay as they were")
        return .failed(error)
    }
}

/// A fetcher that makes one request and judges its answer. It changes nothing.
package struct DocumentFetcher: Sendable {
    let reader: RemoteDocumentReader
    private let configuration: RemoteJSONProvider.Configuration
    private let provider: String
    private let transport: any HTTPTransport
    private let clock: RemoteClock

    package init(
        _ configuration: RemoteJSONProvider.Configuration, provider: String, clock: RemoteClock,
        reader: RemoteDocumentReader
    ) {
        (self.configuration, self.provider, self.clock, self.reader) = (configuration, provider, clock, reader)
        transport = configuration.effectiveTransport
    }

    /// Requests a document.
    ///
    /// - Parameter conditions: The conditions of the document that is known; none for a whole document.
    package func fetch(_ target: RemoteTarget, conditions: [String: String]) async -> FetchResult {
        do {
            let answer = try await clock.limit(configuration.requestTimeout) { progress in
                var request = HTTPTransportRequest(url: target.url, body: target.body)
                request.headers = try await headers(accepting: "application/json", isPrivate: true)
                if request.body != nil { request.headers["Content-Type"] = "application/json" }
                request.headers.merge(conditions) { $1 }
                return try await wholeResponse(to: request, isConditional: !conditions.isEmpty, progress)
            }
            return judge(answer.head, answer.body)
        } catch {
            return failure(error.publicText)
        }
    }

    /// Sends a request, and returns the whole answer.
    private func wholeResponse(
        to request: HTTPTransportRequest, isConditional: Bool, _ progress: Progress
    ) async throws -> (head: HTTPTransportResponse, body: Data) {
        var request = request
        var response = try await followedResponse(to: request, progress)
        if response.status == 304, !isConditional {
            // A cache answered 304 to a request without conditions. One that bypasses caches has to return the document.
            request.headers["Cache-Control"] = "no-cache"
            response = try await followedResponse(to: request, progress)
            if response.status == 304 { throw HTTPFailure("the server answered 304 to a request without conditions") }
        }
        // What follows another status cannot be used, and may be endless or broken.
        guard response.status == 200 else { return (response, Data()) }
        let maximumBytes = configuration.effectiveMaximumBodyBytes
        var body = Data()
        for try await chunk in response.body {
            progress.note()
            guard body.count + chunk.count <= maximumBytes else {
                throw HTTPFailure("the body has more than \(maximumBytes.byteText), the limit of maximumBodyBytes")
            }
            body += chunk
        }
        try Task.checkCancellation()
        let isEncoded = response.header("Content-Encoding") != nil
        if !isEncoded, let length = response.header("Content-Length").flatMap({ Int($0) }), body.count < length {
            throw HTTPFailure("the body ended before its Content-Length")
        }
        return (response, body)
    }

    /// Sends a request, follows up to five redirects, and returns with the header of the last answer.
    private func followedResponse(
        to request: HTTPTransportRequest, _ progress: Progress
    ) async throws -> HTTPTransportResponse {
        let origin = Origin(request.url)
        var request = request
        for _ in 0...5 {
            progress.note()
            let response = try await transport.response(to: request)
            progress.note()
            guard [301, 302, 303, 307, 308].contains(response.status), let location = response.header("Location") else {
                return response
            }
            if response.status == 303 { (request.body, request.headers["Content-Type"]) = (nil, nil) }
            let allowsOthers = configuration.allowsRedirectsToOtherOrigins
            request = try request.redirected(to: location, from: origin, allowsOtherOrigins: allowsOthers)
        }
        throw HTTPFailure("more than five redirects in a row")
    }

    /// Connects to a stream, which gets nothing private at another origin than the documents'.
    func openStream(_ url: URL, _ progress: Progress) async throws -> HTTPTransportResponse {
        let origin = configuration.dialect.origin
        var request = HTTPTransportRequest(url: url)
        request.headers = try await headers(
            accepting: "text/event-stream", isPrivate: origin == nil || Origin(url) == origin)
        // The field is from the specification of event streams (WHATWG HTML, 9.2.2).
        request.headers["Cache-Control"] = "no-cache"
        return try await followedResponse(to: request, progress)
    }

    private func headers(accepting type: String, isPrivate: Bool) async throws -> [String: String] {
        var headers = isPrivate ? configuration.effectiveHeaders : [:]
        if isPrivate { headers.merge(try await secretHeaders()) { $1 } }
        headers["User-Agent"] = "Tackline/1"
        headers["Accept"] = type
        return headers
    }

    /// Calls the application's closures, in a task that isn't awaited after a cancellation, which they may ignore.
    private func secretHeaders() async throws -> [String: String] {
        let (authorization, key) = (configuration.authorization, configuration.dialect.apiKey)
        guard authorization != nil || key != nil else { return [:] }
        let answer = FlagPromise<Result<[String: String], any Error>>()
        let work = Task {
            do {
                var headers: [String: String] = [:]
                headers["X-API-Key"] = try await key?()
                headers["Authorization"] = try await authorization?()
                answer.resolve(.success(headers))
            } catch {
                answer.resolve(.failure(HTTPFailure("the authorization closure failed: \(error.publicText)")))
            }
        }
        guard let result = await answer.wait() else {
            work.cancel()
            throw CancellationError()
        }
        return try result.get()
    }

    // MARK: Answers

    private func judge(_ response: HTTPTransportResponse, _ body: Data) -> FetchResult {
        let status = response.status
        switch status {
        case 200:
            do throws(FlagError) { return .document(try reader.read(body, header: response.header)) } catch {
                return .rejected(error.reason, provider: provider)
            }
        case 304: return .unchanged
        case 200..<300: return .rejected("status \(status) brings no document", provider: provider)
        case 300..<400: return failure("the server redirects without a usable Location (status \(status))")
        case 400, 401, 403, 404, 410:
            let error = FlagError(
                "misconfigured", provider: provider, reason: "the server answered with status \(status)",
                advice: "Check the URL and the authorization")
            return .failed(error, status: status)
        default:
            let mayRetry = [408, 425, 429].contains(status) || status >= 500
            let wait = RetryAfter.parse(response.header, now: configuration.wallClock())
            return failure("the server answered with status \(status)", retryAfter: mayRetry ? wait : nil)
        }
    }

    private func failure(_ reason: String, retryAfter: Duration? = nil) -> FetchResult {
        let error = FlagError(
            .network, provider: provider, reason: reason, advice: "Check the network, the URL and the server")
        return .failed(error, retryAfter: retryAfter)
    }
}
