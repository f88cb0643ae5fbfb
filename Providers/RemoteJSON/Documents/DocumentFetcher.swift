package import Foundation
package import TacklineCore
import TacklineFiles
import TacklineSigning

/// A fetcher that makes one request, and reads the document of its answer. It changes nothing.
package struct DocumentFetcher: Sendable {
    let configuration: RemoteJSONProvider.Configuration
    let trust: DocumentTrust?
    /// Checks a document in its format, and prepares its content.
    let prepare: @Sendable (FlagDocument, Data) throws(FlagError) -> PreparedFlagDocument
    private let transport: any HTTPTransport
    private let clock: RemoteClock

    package init(
        _ configuration: RemoteJSONProvider.Configuration, clock: RemoteClock, bootstrap: FlagDocument = FlagDocument(),
        prepare: @escaping @Sendable (FlagDocument, Data) throws(FlagError) -> PreparedFlagDocument
    ) {
        (self.configuration, self.clock, self.prepare) = (configuration, clock, prepare)
        transport = configuration.effectiveTransport
        var trust = configuration.trust
        if case .integer(let shipped)? = bootstrap.root["$version"] {
            let minimum = max(trust?.minimumVersion ?? shipped, shipped)
            trust?.minimumVersion = minimum
        }
        self.trust = trust
    }

    /// Requests a document.
    ///
    /// - Parameter conditions: The conditions of the document that is known; none for a whole document.
    /// - Returns: The document, `nil` if the known one is the newest, or the reason why there is no usable answer.
    package func fetch(
        _ target: RemoteTarget, conditions: [String: String]
    ) async -> Result<RemoteDocument?, HTTPFailure> {
        do {
            let (response, bytes) = try await clock.limit(configuration.requestTimeout) { noteProgress in
                var request = HTTPTransportRequest(url: target.url, body: target.body)
                request.headers = try await headers(accepting: "application/json")
                if request.body != nil { request.headers["Content-Type"] = "application/json" }
                request.headers.merge(conditions) { $1 }
                var response = try await followedResponse(to: request, noteProgress)
                if response.status == 304, conditions.isEmpty {
                    // A cache answered. A request that bypasses caches has to return the document.
                    request.headers["Cache-Control"] = "no-cache"
                    response = try await followedResponse(to: request, noteProgress)
                }
                // What follows another status cannot be used, and may be endless or broken.
                return (response, response.status == 200 ? try await body(of: response, noteProgress) : Data())
            }
            switch response.status {
            case 200:
                let signature = configuration.signatureField.flatMap(response.header)
                do throws(FlagError) {
                    return .success(
                        try read(bytes, signature: signature, for: target, conditions: response.conditions))
                } catch {
                    return .failure(HTTPFailure(error.reason, .rejected))
                }
            case 304 where !conditions.isEmpty: return .success(nil)
            default: return .failure(refusal(by: response))
            }
        } catch {
            return .failure(error as? HTTPFailure ?? HTTPFailure(error.publicText))
        }
    }

    private func refusal(by response: HTTPTransportResponse) -> HTTPFailure {
        let status = response.status
        switch status {
        case 200..<300: return HTTPFailure("status \(status) brings no document", .rejected)
        case 304: return HTTPFailure("the server answered 304 to a request without conditions")
        case 300..<400: return HTTPFailure("the server redirects without a usable Location (status \(status))")
        case 400, 401, 403, 404, 410:
            let isFinal = configuration.isEvaluating && [401, 403].contains(status)
            return HTTPFailure("the server answered with status \(status)", .misconfigured, isFinal: isFinal)
        default:
            let mayRetry = [408, 425, 429].contains(status) || status >= 500
            let wait = RetryAfter.parse(response.header, now: configuration.wallClock())
            return HTTPFailure("the server answered with status \(status)", retryAfter: mayRetry ? wait : nil)
        }
    }

    private func body(of response: HTTPTransportResponse, _ noteProgress: @Sendable () -> Void) async throws -> Data {
        let maximumBytes = configuration.effectiveMaximumBodyBytes
        var body = Data()
        for try await chunk in response.body {
            noteProgress()
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
        return body
    }

    /// Sends a request, follows up to five redirects, and returns with the header of the last answer.
    private func followedResponse(
        to request: HTTPTransportRequest, _ noteProgress: @Sendable () -> Void
    ) async throws -> HTTPTransportResponse {
        let origin = Origin(request.url)
        var request = request
        for _ in 0...5 {
            noteProgress()
            let response = try await transport.response(to: request)
            noteProgress()
            guard [301, 302, 303, 307, 308].contains(response.status), let location = response.header("Location") else {
                return response
            }
            if response.status == 303 { (request.body, request.headers["Content-Type"]) = (nil, nil) }
            let allowsOthers = configuration.allowsRedirectsToOtherOrigins
            request = try request.redirected(to: location, from: origin, allowsOtherOrigins: allowsOthers)
        }
        throw HTTPFailure("more than five redirects in a row")
    }

    /// Connects to a stream. One that an evaluation named gets nothing private at another origin than the server's.
    func openStream(
        _ url: URL, of target: RemoteTarget, _ noteProgress: @Sendable () -> Void
    ) async throws -> HTTPTransportResponse {
        let isPrivate = !configuration.isEvaluating || Origin(url) == Origin(target.url)
        var request = HTTPTransportRequest(url: url)
        request.headers = try await headers(accepting: "text/event-stream", isPrivate: isPrivate)
        // The field is from the specification of event streams (WHATWG HTML, 9.2.2).
        request.headers["Cache-Control"] = "no-cache"
        return try await followedResponse(to: request, noteProgress)
    }

    private func headers(accepting type: String, isPrivate: Bool = true) async throws -> [String: String] {
        var headers = isPrivate ? configuration.effectiveHeaders : [:]
        if isPrivate { headers.merge(try await secretHeaders()) { $1 } }
        headers["User-Agent"] = "Tackline/1"
        headers["Accept"] = type
        return headers
    }

    /// Calls the application's closures, in a task that isn't awaited after a cancellation, which they may ignore.
    private func secretHeaders() async throws -> [String: String] {
        let answer = FlagPromise<Result<[String: String], any Error>>()
        let work = Task {
            do {
                var headers: [String: String] = [:]
                headers["X-API-Key"] = try await configuration.apiKey?()
                headers["Authorization"] = try await configuration.authorization?()
                answer.resolve(.success(headers))
            } catch {
                answer.resolve(.failure(HTTPFailure("the authorization closure failed: \(error.publicText)")))
            }
        }
        defer { work.cancel() }
        guard let result = await answer.wait() else { throw CancellationError() }
        return try result.get()
    }
}

extension HTTPTransportResponse {
    /// The header fields of a conditional request, which name the document: with its `ETag`, exactly as it was sent, or
    /// else its `Last-Modified`. Two tags in one answer are invalid, because either may belong to the body.
    fileprivate var conditions: [String: String] {
        if let tag = header("ETag"), !tag.isEmpty, !tag.contains(","), tag.utf8.count <= 1024 {
            return ["If-None-Match": tag]
        }
        return header("Last-Modified").map { ["If-Modified-Since": $0] } ?? [:]
    }
}
