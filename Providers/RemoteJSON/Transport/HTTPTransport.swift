public import Foundation
import TacklineFiles

// Foundation: `URL` and `Data` are sent and received by clients.

/// A client that carries the requests of a ``RemoteJSONProvider``: `URLSession`, another HTTP client, or a test double.
///
/// A transport follows only the redirects that the request allows. It keeps no cookies, answers nothing from a cache,
/// and decodes no body further than the limit. Cancelling the calling task ends the request. A transport need not limit
/// the total time, because the provider does. Only ``stream(_:)`` has to be implemented.
public protocol HTTPTransport: Sendable {
    /// Sends a request and collects the whole answer, whatever its status. The default reads it from ``stream(_:)``, and
    /// ends the request if its body is longer than allowed.
    ///
    /// - Throws: ``HTTPTransportError`` if there is no complete and well-formed answer within the request's limits.
    func response(to request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse

    /// Sends a request and returns as soon as the header of the answer has arrived, whatever its status.
    ///
    /// - Throws: ``HTTPTransportError`` if there is no well-formed header within the request's limits.
    func stream(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportStream
}

extension HTTPTransport {
    /// Collects the answer from ``stream(_:)``.
    public func response(
        to request: HTTPTransportRequest
    ) async throws(HTTPTransportError) -> HTTPTransportResponse {
        let stream = try await stream(request)
        var body = Data()
        do {
            for try await chunk in stream.chunks {
                guard body.count + chunk.count <= request.maximumBodyBytes else {
                    let reason = "the body has more than \(request.maximumBodyBytes.byteText)"
                    throw HTTPTransportError(.bodyTooLarge, reason: reason)
                }
                body += chunk
            }
        } catch {
            throw error as? HTTPTransportError ?? HTTPTransportError(.connection, reason: "the body failed: \(error)")
        }
        // A cancellation ends the chunks like the end of the body.
        if Task.isCancelled { throw HTTPTransportError(.cancelled, reason: "the request was cancelled") }
        return HTTPTransportResponse(status: stream.status, headers: stream.headers, body: body)
    }
}

/// A GET request, or a POST request with a body, and the limits for its answer.
public struct HTTPTransportRequest: Sendable, Hashable {
    /// The address of the request, before any redirect.
    public var url: URL
    /// The header fields to send. A transport may add fields that it requires, such as `Host`.
    public var headers: HTTPTransportHeaders
    /// The body of a POST request; `nil` for a GET request. Redirects to another origin are refused for it; on all
    /// others the body is sent again.
    public var body: Data?
    /// The greatest length of the answer's body in bytes, decoded. A longer one is a failure. For a stream this is the
    /// number of bytes that may wait to be read.
    public var maximumBodyBytes = 1 << 20
    /// The longest wait for the header of the answer.
    public var responseHeaderTimeout = Duration.seconds(10)
    /// The longest pause after the header. `nil` sets no limit, for streams whose reader has one.
    public var idleTimeout: Duration? = .seconds(10)
    /// The greatest number of redirects that are followed. With zero a redirect is the answer. A redirect from https to
    /// http, or to another scheme, is never followed.
    public var maximumRedirects = 5
    /// Whether a redirect to another origin is followed. That request then carries only the fields in
    /// ``headersForOtherOrigins``.
    public var allowsOtherOrigins = false

    /// The fields that may be sent to another origin: none that identifies or authorizes a user.
    public static let headersForOtherOrigins: Set<String> = [
        "accept", "accept-encoding", "user-agent", "cache-control", "if-none-match", "if-modified-since",
    ]

    /// Makes a request with the usual limits.
    public init(url: URL, headers: HTTPTransportHeaders = HTTPTransportHeaders()) {
        self.url = url
        self.headers = headers
    }
}

/// A complete answer.
public struct HTTPTransportResponse: Sendable, Hashable {
    /// The status code of the last answer, after redirects.
    public var status: Int
    /// The header fields.
    public var headers: HTTPTransportHeaders
    /// The body, decoded; empty if there was none.
    public var body: Data

    /// Makes an answer.
    public init(status: Int, headers: HTTPTransportHeaders = HTTPTransportHeaders(), body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// An answer whose body is still arriving.
public struct HTTPTransportStream: Sendable {
    /// The status code, after redirects.
    public var status: Int
    /// The header fields.
    public var headers: HTTPTransportHeaders
    /// The body in portions as they arrive, decoded, for one reader. It ends with the body, or throws
    /// ``HTTPTransportError``. Releasing it, or cancelling the task that reads it, ends the request.
    public var chunks: AsyncThrowingStream<Data, any Error>

    /// Makes a stream.
    public init(status: Int, headers: HTTPTransportHeaders, chunks: AsyncThrowingStream<Data, any Error>) {
        self.status = status
        self.headers = headers
        self.chunks = chunks
    }
}

/// The reason why there is no usable answer.
public struct HTTPTransportError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure. A new case is a breaking change of the API, so a `switch` needs no `default`.
    public enum Code: String, Sendable, Hashable {
        /// The calling task was cancelled, or the provider stopped.
        case cancelled
        /// The header, the next bytes or the end did not arrive in time.
        case timedOut = "timed-out"
        /// The server redirects from https to http, to another origin that the request doesn't allow, or to a URL that
        /// is not HTTP.
        case redirectRefused = "redirect-refused"
        /// More redirects in a row than allowed.
        case tooManyRedirects = "too-many-redirects"
        /// The body is longer than allowed, or more bytes of a stream wait to be read than allowed.
        case bodyTooLarge = "body-too-large"
        /// The header is longer than allowed.
        case headerTooLarge = "header-too-large"
        /// The body ended early, or cannot be decoded.
        case incomplete
        /// The name is unknown, the connection was refused or reset, the certificate is not trusted, or the answer is
        /// not HTTP.
        case connection
    }

    /// The kind of failure.
    public var code: Code
    /// The event, as a sentence without a full stop.
    public var reason: String

    /// Makes an error.
    public init(_ code: Code, reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The reason and the code.
    public var description: String { "\(reason) [\(code.rawValue)]" }
}

extension HTTPTransportError {
    static let headerIsTooLarge = HTTPTransportError(
        .headerTooLarge,
        reason: """
            the header of the answer has more than \(HTTPExchange.maximumHeaderBytes.byteText), or a line that is too long
            """)
}
