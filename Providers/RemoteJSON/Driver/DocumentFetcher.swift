import Foundation
import TacklineCore
import TacklineFiles

// Foundation: `URL` and `Date` belong to requests.

/// The result of one request.
enum FetchResult: Sendable {
    /// A document other than the current one.
    case document(RemoteDocument, warning: String?)
    /// The current document is the newest.
    case unchanged
    /// - Parameter isOlder: Whether the document's version is older than the current one.
    case rejected(reason: String, status: Int, isOlder: Bool = false)
    case failed(reason: String, retryAfter: Duration?)
    case misconfigured(status: Int, detail: String? = nil)
}

extension FetchResult {
    /// Returns the error for the callers of a request, or `nil` if the request succeeded.
    func error(provider: String) -> FlagError? {
        switch self {
        case .document, .unchanged: return nil
        case .rejected(let reason, _, _):
            return FlagError(
                .rejected, provider: provider, reason: "the document was rejected: \(reason)",
                advice: "Correct it on the server")
        case .failed(let reason, _):
            return FlagError(
                .network, provider: provider, reason: reason, advice: "Check the network, the URL and the server")
        case .misconfigured(let status, let detail):
            let reason = "the server answered with status \(status)\(detail.map { ": \($0)" } ?? "")"
            return FlagError(
                "misconfigured", provider: provider, reason: reason, advice: "Check the URL and the authorization")
        }
    }

    /// Returns the failure of a request whose answer was not complete in time.
    static func late(_ limit: Duration) -> FetchResult {
        .failed(reason: "the answer was not complete within \(limit.secondsText)", retryAfter: nil)
    }
}

extension RemoteJSONConfiguration {
    /// Returns a request with the limits of this configuration.
    func request(_ url: URL, _ headers: HTTPTransportHeaders) -> HTTPTransportRequest {
        var request = HTTPTransportRequest(url: url, headers: headers)
        request.responseHeaderTimeout = responseHeaderTimeout
        request.idleTimeout = idleTimeout
        request.maximumRedirects = maximumRedirects
        request.allowsOtherOrigins = allowsRedirectsToOtherOrigins
        return request
    }
}

/// A fetcher that makes one request and judges its answer. It changes nothing.
struct DocumentFetcher: Sendable {
    let configuration: RemoteJSONConfiguration
    let transport: any HTTPTransport
    let reader: RemoteDocumentReader
    /// Receives the time by which the wall clock is ahead of the server's, if documents are signed.
    var compareClock: @Sendable (Duration) -> Void = { _ in }

    /// Requests a document.
    ///
    /// - Parameter current: The current document, whose validators may be sent; `nil` if there is none.
    func fetch(_ url: URL, current: RemoteDocument?) async -> FetchResult {
        var secrets = Secrets(url, configuration)
        let result: FetchResult
        do {
            let headers = try await Self.commonHeaders(configuration, within: nil, &secrets)
            var response = try await transport.response(to: request(url, headers, current: current))
            if response.status == 304, current == nil || !hasValidator(current) {
                // An intermediate cache answered 304 though the request had no conditions. A request that bypasses
                // caches has to return the document.
                response = try await transport.response(to: request(url, headers, current: nil, bypassesCaches: true))
                guard response.status != 304 else {
                    return .failed(reason: "the server answered 304 to a request without conditions", retryAfter: nil)
                }
            }
            result = judge(response, from: url, current: current)
        } catch let error as HTTPTransportError {
            result = .failed(reason: error.description, retryAfter: nil)
        } catch {
            result = .failed(reason: "the authorization closure failed: \(error)", retryAfter: nil)
        }
        return switch result {
        case .failed(let reason, let wait): .failed(reason: secrets.hidden(in: reason), retryAfter: wait)
        case .rejected(let reason, let status, let isOlder):
            .rejected(reason: secrets.hidden(in: reason), status: status, isOlder: isOlder)
        case .misconfigured(let status, let detail):
            .misconfigured(status: status, detail: detail.map { secrets.hidden(in: $0) })
        default: result
        }
    }

    /// Returns the header fields of every request, including that of the stream.
    ///
    /// - Parameter limit: The longest time for the authorization; `nil` for no limit but a cancellation of the task.
    static func commonHeaders(
        _ configuration: RemoteJSONConfiguration, within limit: Duration?, _ secrets: inout Secrets
    ) async throws -> HTTPTransportHeaders {
        var headers = configuration.effectiveHeaders
        headers["User-Agent"] = configuration.userAgent
        let (authorize, others) = (configuration.authorization, configuration.dialect?.secretHeaders)
        guard authorize != nil || others != nil else { return headers }
        // The authorization runs in a task of its own and is not awaited after a cancellation, since it may ignore one.
        let answer = FlagPromise<Result<(String?, HTTPTransportHeaders?), any Error>>()
        let work = Task {
            do {
                let authorization = try await authorize?()
                answer.resolve(.success((authorization, try await others?())))
            } catch {
                answer.resolve(.failure(error))
            }
        }
        let result = await within(limit, on: MonotonicTime(configuration.clock)) { await answer.wait() } ?? nil
        guard let result else {
            work.cancel()
            throw HTTPTransportError(.timedOut, reason: "the authorization did not come in time")
        }
        let (authorization, secret) = try result.get()
        for field in secret?.fields ?? [] {
            headers[field.name] = field.value
            secrets.add(field.value)
        }
        if let authorization {
            headers["Authorization"] = authorization
            secrets.add(authorization)
        }
        return headers
    }

    private func hasValidator(_ document: RemoteDocument?) -> Bool {
        document?.revision.entityTag != nil || document?.lastModified != nil
    }

    private func request(
        _ url: URL, _ headers: HTTPTransportHeaders, current: RemoteDocument?, bypassesCaches: Bool = false
    ) -> HTTPTransportRequest {
        var request = configuration.request(url, headers)
        request.headers["Accept"] = "application/json"
        request.headers["If-None-Match"] = current?.revision.entityTag
        request.headers["If-Modified-Since"] = current?.revision.entityTag == nil ? current?.lastModified : nil
        if bypassesCaches { request.headers["Cache-Control"] = "no-cache" }
        request.maximumBodyBytes = configuration.effectiveMaximumBodyBytes
        return request
    }

    private func judge(_ response: HTTPTransportResponse, from url: URL, current: RemoteDocument?) -> FetchResult {
        let lead = lead(response)
        if let lead { compareClock(lead) }
        switch response.status {
        case 200:
            return judgeDocument(response, from: url, current: current, lead: lead)
        case 304:
            return .unchanged
        case 200..<300:
            return .rejected(reason: "only status 200 brings a document", status: response.status)
        case 400, 401, 403, 404, 410:
            return .misconfigured(
                status: response.status, detail: configuration.dialect?.refusal(response.body))
        case 408, 425, 429, 500..<600:
            let wait = RetryAfter.parse(response.headers, now: configuration.wallClock())
            return .failed(reason: "the server answered with status \(response.status)", retryAfter: wait)
        case 300..<400:
            return .failed(
                reason: "the server redirects without a usable Location (status \(response.status))", retryAfter: nil)
        default:
            return .failed(reason: "the server answered with status \(response.status)", retryAfter: nil)
        }
    }

    private func lead(_ response: HTTPTransportResponse) -> Duration? {
        guard reader.trust != nil else { return nil }
        return ClockComparison.lead(of: configuration.wallClock(), over: response.headers)
    }

    private func judgeDocument(
        _ response: HTTPTransportResponse, from url: URL, current: RemoteDocument?, lead: Duration?
    ) -> FetchResult {
        let tag = EntityTag.parse(response.headers["ETag"])
        if let current {
            if let tag, tag == current.revision.entityTag { return .unchanged }
            if response.body == current.body, tag == nil { return .unchanged }
        }
        do {
            let document = try reader.read(
                response.body,
                from: url,
                headers: response.headers,
                current: current?.revision.version,
                lead: lead
            )
            return .document(document, warning: warning(about: response.headers["Content-Type"]))
        } catch {
            return .rejected(reason: error.reason, status: response.status, isOlder: error.isOlder)
        }
    }

    private func warning(about contentType: String?) -> String? {
        let type = contentType?.prefix { $0 != ";" }.lowercased() ?? "nothing"
        if type.hasPrefix("application/json") || (type.hasPrefix("application/") && type.contains("+json")) {
            return nil
        }
        return "the document came as \(type), where application/json is expected; correct the server's Content-Type"
    }
}
