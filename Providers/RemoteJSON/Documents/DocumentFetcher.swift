package import Foundation
import Synchronization
package import TacklineCore

// Foundation: `URL` and `Date` belong to requests.

/// The result of one request.
package enum FetchResult: Sendable {
    /// A document other than the current one. The warning is for the log.
    case document(RemoteDocument, warning: String?)
    /// The current document is the newest.
    case unchanged
    case rejected(reason: String, status: Int)
    case failed(reason: String, retryAfter: Duration?)
    /// The server refuses the URL or the authorization.
    case refused(reason: String, status: Int)

    /// Returns the error for the callers of a request, or `nil` if the request succeeded.
    package func error(provider: String) -> FlagError? {
        switch self {
        case .document, .unchanged: nil
        case .rejected(let reason, _):
            FlagError(
                .rejected, provider: provider, reason: "the document was rejected: \(reason)",
                advice: "Correct the document on the server; the values stay as they were")
        case .failed(let reason, _):
            FlagError(.network, provider: provider, reason: reason, advice: "Check the network, the URL and the server")
        case .refused(let reason, _):
            FlagError(
                "misconfigured", provider: provider, reason: reason, advice: "Check the URL and the authorization")
        }
    }
}

/// A fetcher that makes one request and judges its answer. It changes nothing.
package struct DocumentFetcher: Sendable {
    let configuration: RemoteJSONProvider.Configuration
    let transport: any HTTPTransport
    let clock: RemoteClock
    let reader: RemoteDocumentReader

    package init(
        _ configuration: RemoteJSONProvider.Configuration, transport: any HTTPTransport, clock: RemoteClock,
        reader: RemoteDocumentReader
    ) {
        (self.configuration, self.transport, self.clock, self.reader) = (configuration, transport, clock, reader)
    }

    /// Requests a document.
    ///
    /// - Parameters:
    ///   - items: Query items to add to the URL.
    ///   - current: The validators of the document that is known; `nil` for a request without conditions.
    package func fetch(
        _ target: RemoteTarget, items: [URLQueryItem] = [], current: DocumentValidators?
    ) async -> FetchResult {
        let secrets = Secrets(target.url, configuration)
        do {
            let (head, body) = try await clock.limit(configuration.requestTimeout) { deadline in
                let headers = try await headers(to: nil, accepting: "application/json", secrets)
                let url = items.isEmpty ? target.url : target.url.appending(queryItems: items)
                var request = HTTPTransportRequest(url: url, headers: headers, body: target.body)
                request.maximumWaitingBytes = configuration.effectiveMaximumBodyBytes
                return try await response(to: request, current, deadline)
            }
            return judge(head, body, secrets)
        } catch {
            return .failed(reason: secrets.hidden(in: "\(error)"), retryAfter: nil)
        }
    }

    private func response(
        to request: HTTPTransportRequest, _ current: DocumentValidators?, _ deadline: Deadline
    ) async throws -> (head: HTTPTransportResponse, body: Data) {
        var request = request
        if request.body != nil { request.headers["Content-Type"] = "application/json" }
        request.headers["If-None-Match"] = current?.entityTag
        if request.body == nil, current?.entityTag == nil {
            request.headers["If-Modified-Since"] = current?.lastModified
        }
        let isConditional = request.headers.keys.contains { $0.hasPrefix("If-") }
        for _ in 1...2 {
            let response = try await transport.wholeResponse(
                to: request, allowsOtherOrigins: configuration.allowsRedirectsToOtherOrigins, deadline)
            if response.head.status != 304 || isConditional { return response }
            // An intermediate cache answered 304 though the request had no conditions. A request that bypasses caches has
            // to return the document.
            request.headers["Cache-Control"] = "no-cache"
        }
        throw HTTPFailure("the server answered 304 to a request without conditions")
    }

    /// Returns the header fields of a request.
    ///
    /// - Parameter url: The URL of a stream, which gets nothing private at another origin than the documents'; `nil` for
    ///   a document.
    func headers(to url: URL?, accepting type: String, _ secrets: Secrets) async throws -> [String: String] {
        var headers: [String: String] = [:]
        let origin = configuration.dialect.origin
        if url == nil || origin == nil || url.flatMap({ Origin($0) }) == origin {
            headers = configuration.effectiveHeaders
            for (name, value) in try await secretHeaders() {
                headers[name] = value
                secrets.add(value)
            }
        }
        headers["User-Agent"] = "Tackline/1"
        headers["Accept"] = type
        return headers
    }

    /// Calls the application's closures, in a task that isn't awaited after this one is cancelled, since they may ignore
    /// that they are.
    private func secretHeaders() async throws -> [String: String] {
        let (authorize, others) = (configuration.authorization, configuration.dialect.secretHeaders)
        guard authorize != nil || others != nil else { return [:] }
        let answer = FlagPromise<Result<[String: String], any Error>>()
        let work = Task {
            do {
                var headers = try await others?() ?? [:]
                if let authorization = try await authorize?() { headers["Authorization"] = authorization }
                answer.resolve(.success(headers))
            } catch {
                answer.resolve(.failure(HTTPFailure("the authorization closure failed: \(error)")))
            }
        }
        guard let result = await answer.wait() else {
            work.cancel()
            throw CancellationError()
        }
        return try result.get()
    }

    private func judge(_ response: HTTPTransportResponse, _ body: Data, _ secrets: Secrets) -> FetchResult {
        let status = response.status
        switch status {
        case 200:
            do throws(FlagError) {
                let document = try reader.read(body, header: response.header)
                return .document(document, warning: warning(about: response.header("Content-Type")))
            } catch {
                return .rejected(reason: secrets.hidden(in: error.reason), status: status)
            }
        case 304: return .unchanged
        case 200..<300: return .rejected(reason: "only status 200 brings a document", status: status)
        case 400, 401, 403, 404, 410:
            let detail = configuration.dialect.refusal(body).map { ": \(secrets.hidden(in: $0))" } ?? ""
            return .refused(reason: "the server answered with status \(status)\(detail)", status: status)
        case 300..<400:
            return .failed(reason: "the server redirects without a usable Location (status \(status))", retryAfter: nil)
        default:
            let mayRetry = [408, 425, 429].contains(status) || status >= 500
            let wait = RetryAfter.parse(response.header, now: configuration.wallClock())
            return .failed(reason: "the server answered with status \(status)", retryAfter: mayRetry ? wait : nil)
        }
    }

    private func warning(about contentType: String?) -> String? {
        let type = contentType?.prefix { $0 != ";" }.lowercased() ?? "nothing"
        if type.hasPrefix("application/json") || type.hasPrefix("application/") && type.contains("+json") { return nil }
        return "the document came as \(type), where application/json is expected; correct the server's Content-Type"
    }
}

/// The texts that must not appear in a log, event or error: users, passwords, queries and fragments of URLs, and the
/// values of header fields.
final class Secrets: Sendable {
    private let texts = Mutex<[String]>([])

    init(_ url: URL, _ configuration: RemoteJSONProvider.Configuration) {
        let whole = [url.user(percentEncoded: false), url.password(percentEncoded: false)]
        let encoded = [url.user(), url.password(), url.query(), url.fragment(), url.fragment(percentEncoded: false)]
        let items = url.query()?.split(separator: "&").map { $0.drop { $0 != "=" }.dropFirst() } ?? []
        for text in whole + encoded { add(text) }
        for item in items { add(String(item)); add(String(item).removingPercentEncoding) }
        for value in configuration.headers.values { add(value) }
    }

    /// Adds a text, unless it has less than four bytes: such a text occurs in any message.
    func add(_ text: String?) {
        guard let text else { return }
        // A scheme such as Bearer is no secret, but the text after it is.
        let parts = [text[...]] + text.split(separator: " ", maxSplits: 1).dropFirst()
        texts.withLock { texts in
            texts += parts.map(String.init).filter { $0.utf8.count >= 4 }
            // The longest texts are replaced first, so that no part of one is left.
            texts.sort { $0.utf8.count > $1.utf8.count }
        }
    }

    func hidden(in text: String) -> String { texts.withLock { $0.reduce(text) { $0.replacing($1, with: "…") } } }
}
