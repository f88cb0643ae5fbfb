#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import TacklineCore

// Foundation: `URL` and `Date` belong to requests.

/// Makes one request and judges its answer. Changes nothing.
struct DocumentFetcher: Sendable {
    let configuration: RemoteJSONConfiguration
    let transport: any HTTPTransport
    let reader: RemoteDocumentReader

    /// Asks for a document.
    ///
    /// - Parameter current: The document whose validators may be sent, since it is at hand and was accepted.
    func fetch(_ url: URL, current: RemoteDocument?) async -> FetchResult {
        do {
            var response = try await transport.response(to: request(url, current: current))
            if response.status == 304, current == nil || !hasValidator(current) {
                // A cache on the way answers for a request that nobody made. Asked without conditions it has to deliver.
                response = try await transport.response(to: request(url, current: nil, bypassesCaches: true))
                guard response.status != 304 else {
                    return .failed(reason: "the server answered 304 to a request without conditions", retryAfter: nil)
                }
            }
            return judge(response, from: url, current: current)
        } catch let error as HTTPTransportError {
            return .failed(reason: error.description, retryAfter: nil)
        } catch {
            return .failed(reason: "the authorization could not be had: \(error)", retryAfter: nil)
        }
    }

    /// The header fields that every request has, to the stream as well.
    static func commonHeaders(_ configuration: RemoteJSONConfiguration) async throws -> HTTPHeaders {
        var headers = configuration.headers
        headers["User-Agent"] = configuration.userAgent
        if let authorization = try await configuration.authorization?() { headers["Authorization"] = authorization }
        return headers
    }

    private func hasValidator(_ document: RemoteDocument?) -> Bool {
        document?.revision.entityTag != nil || document?.lastModified != nil
    }

    private func request(
        _ url: URL,
        current: RemoteDocument?,
        bypassesCaches: Bool = false
    ) async throws -> HTTPTransportRequest {
        var headers = try await Self.commonHeaders(configuration)
        headers["Accept"] = "application/json"
        headers["If-None-Match"] = current?.revision.entityTag
        headers["If-Modified-Since"] = current?.revision.entityTag == nil ? current?.lastModified : nil
        if bypassesCaches { headers["Cache-Control"] = "no-cache" }
        var request = HTTPTransportRequest(url: url, headers: headers)
        request.maximumBodyBytes = configuration.effectiveMaximumBodyBytes
        request.responseHeaderTimeout = configuration.responseHeaderTimeout
        request.idleTimeout = configuration.idleTimeout
        request.maximumRedirects = configuration.maximumRedirects
        request.allowsOtherOrigins = configuration.allowsRedirectsToOtherOrigins
        return request
    }

    private func judge(_ response: HTTPTransportResponse, from url: URL, current: RemoteDocument?) -> FetchResult {
        switch response.status {
        case 200:
            return judgeDocument(response, from: url, current: current)
        case 304:
            return .unchanged
        case 200..<300:
            return .rejected(reason: "only status 200 brings a document", status: response.status)
        case 400, 401, 403, 404, 410:
            return .misconfigured(status: response.status)
        case 408, 425, 429, 500..<600:
            let wait = RetryAfter.parse(response.headers["Retry-After"], now: configuration.wallClock())
            return .failed(reason: "the server answered with status \(response.status)", retryAfter: wait)
        case 300..<400:
            return .failed(reason: "the server redirects to nowhere (status \(response.status))", retryAfter: nil)
        default:
            return .failed(reason: "the server answered with status \(response.status)", retryAfter: nil)
        }
    }

    private func judgeDocument(
        _ response: HTTPTransportResponse, from url: URL, current: RemoteDocument?
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
                current: current?.revision.version
            )
            return .document(document, warning: warning(about: response.headers["Content-Type"]))
        } catch {
            return .rejected(reason: error.reason, status: response.status)
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
