public import Foundation
package import TacklineCore
import TacklineFiles

/// A client that carries the requests of a provider: `URLSessionTransport`, another HTTP client, or for tests a
/// ``StubTransport``.
///
/// A transport sends one request. It follows no redirect, keeps no cookies, and answers nothing from a cache; the provider
/// follows redirects, sets limits in time and size, and tries again. Cancelling the calling task, or releasing the body of
/// the response, ends the request.
public protocol HTTPTransport: Sendable {
    /// Sends a request and returns as soon as the header of the answer has arrived, whatever its status.
    ///
    /// - Throws: Any error if there is no well-formed header. Its description goes into the provider's message.
    func response(to request: HTTPTransportRequest) async throws -> HTTPTransportResponse
}

/// A GET request, or a POST request with a body.
public struct HTTPTransportRequest: Sendable, Hashable {
    /// The address of the request.
    public var url: URL
    /// The header fields to send. A transport may add fields that it requires, such as `Host`.
    public var headers: [String: String]
    /// The body of a POST request; `nil` for a GET request.
    public var body: Data?

    /// Creates a request.
    public init(url: URL, headers: [String: String] = [:], body: Data? = nil) {
        (self.url, self.headers, self.body) = (url, headers, body)
    }
}

/// The answer to a request.
public struct HTTPTransportResponse: Sendable {
    /// The status code.
    public var status: Int
    /// The header fields. The values of fields with one name are joined by `, `.
    public var headers: [String: String]
    /// The body, decoded, in portions as they arrive, for one reader. It throws if the body can't be read to its end.
    public var body: AsyncThrowingStream<Data, any Error>

    /// Creates an answer whose body arrives in portions.
    public init(status: Int, headers: [String: String], body: AsyncThrowingStream<Data, any Error>) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    /// Creates a complete answer.
    public init(status: Int = 200, headers: [String: String] = [:], body: Data = Data()) {
        let chunks = AsyncThrowingStream<Data, any Error> { continuation in
            if !body.isEmpty { continuation.yield(body) }
            continuation.finish()
        }
        self.init(status: status, headers: headers, body: chunks)
    }

    /// Creates a complete answer with JSON text.
    public init(json: String, headers: [String: String] = [:]) {
        let headers = headers.merging(["Content-Type": "application/json"]) { given, _ in given }
        self.init(headers: headers, body: Data(json.utf8))
    }

    /// Returns the value of a header field, whose name is compared without regard to case; `nil` if there is none.
    public func header(_ name: String) -> String? {
        headers[name] ?? headers[name.lowercased()] ?? headers.first { $0.key.lowercased() == name.lowercased() }?.value
    }
}

/// A transport for tests, which answers by a closure.
///
/// ```swift
/// var configuration = RemoteJSONProvider.Configuration()
/// configuration.transport = StubTransport { request in
///     request.headers["If-None-Match"] == nil
///         ? HTTPTransportResponse(json: #"{"new_checkout": true}"#, headers: ["ETag": "\"1\""])
///         : HTTPTransportResponse(status: 304)
/// }
/// ```
public struct StubTransport: HTTPTransport {
    private let answer: @Sendable (HTTPTransportRequest) async throws -> HTTPTransportResponse

    /// Creates a transport that answers each request, those of streams too, by a closure.
    public init(_ answer: @escaping @Sendable (HTTPTransportRequest) async throws -> HTTPTransportResponse) {
        self.answer = answer
    }

    /// Returns the answer of the closure.
    public func response(to request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
        try await answer(request)
    }
}

/// The reason why there is no usable answer, as a sentence without a full stop.
package struct HTTPFailure: Error, CustomStringConvertible {
    package let description: String
    /// `rejected` for a document, `cancelled` for a request that was given up, `misconfigured`, otherwise `network`.
    package let code: FlagError.Code
    /// The time for which the server wants no requests.
    package let retryAfter: Duration?
    /// Whether the provider doesn't ask again by itself.
    let isFinal: Bool

    package init(
        _ reason: String, _ code: FlagError.Code = .network, retryAfter: Duration? = nil, isFinal: Bool = false
    ) {
        (description, self.code, self.retryAfter, self.isFinal) = (reason, code, retryAfter, isFinal)
    }

    /// Returns the error for the callers of a provider.
    package func error(of provider: String) -> FlagError {
        let advice =
            switch code {
            case .rejected: "Correct the document on the server; the values stay as they were"
            case .misconfigured: "Check the URL and the authorization"
            case .cancelled: "Ask again"
            default: "Check the network, the URL and the server"
            }
        let reason = code == .rejected ? "the document was rejected: \(description)" : description
        return FlagError(code, provider: provider, reason: reason, advice: advice)
    }
}

extension FlagError.Code {
    /// The server refuses the URL or the authorization.
    static let misconfigured: Self = "misconfigured"
}

extension Error {
    /// The description. Those of Foundation's errors are made from parts, since their own have the URL with its query.
    var publicText: String {
        guard self is any CustomNSError || type(of: self) is NSError.Type else { return "\(self)" }
        let error = self as NSError
        return "\(error.domain) \(error.code): \(error.localizedDescription.trimmingCharacters(in: ["."]))"
    }
}

extension HTTPTransportRequest {
    /// The header fields that may be sent to another origin: none that identifies or authorizes a user.
    private static let publicFields: Set<String> = [
        "accept", "accept-encoding", "user-agent", "cache-control", "if-none-match", "if-modified-since",
    ]

    /// Returns the request that follows a redirect.
    ///
    /// Origins are compared with that of the first request. Once another origin was visited, nothing private is sent any
    /// more, not even on a redirect back. A redirect from http to https on the same host stays in the same origin.
    func redirected(
        to location: String, from origin: Origin?, allowsOtherOrigins: Bool
    ) throws(HTTPFailure) -> HTTPTransportRequest {
        guard let origin, let last = Origin(url), !location.isEmpty,
            let target = URL(string: location, relativeTo: url)?.absoluteURL, let new = Origin(target)
        else { throw HTTPFailure("the server redirects to something that is neither http nor https") }
        guard new.scheme == "https" || last.scheme == "http" else {
            throw HTTPFailure("the server redirects from https to http (\(new.host))")
        }
        var next = self
        next.url = target
        let isUpgrade = new.scheme == "https" && origin.scheme == "http" && new.host == origin.host
        if new == origin || isUpgrade { return next }
        guard allowsOtherOrigins, body == nil else {
            throw HTTPFailure("the server redirects to another origin (\(new.scheme)://\(new.host))")
        }
        next.headers = headers.filter { Self.publicFields.contains($0.key.lowercased()) }
        return next
    }
}

/// The scheme, host and port of an http or https URL (RFC 6454).
package struct Origin: Equatable {
    package let scheme: String
    package let host: String
    private let port: Int

    package init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = url.host()?.lowercased(), !host.isEmpty
        else { return nil }
        (self.scheme, self.host) = (scheme, host)
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }
}
