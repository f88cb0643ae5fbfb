#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: `URL` and `Data` are what clients have and receive.

/// What carries the requests of a ``RemoteJSONProvider``: `URLSession`, another HTTP client, or a double in a test.
///
/// A transport follows redirects within the limits of the request, and no others; it keeps no cookies, answers nothing
/// from a cache, and decodes no body further than the limit. Cancelling the calling task ends the request. It need not
/// bound the time as a whole: the provider does that with a timer of its own.
public protocol HTTPTransport: Sendable {
    /// Sends a request and collects the whole answer, whatever its status.
    ///
    /// - Throws: ``HTTPTransportError`` if there is no complete and well-formed answer within the request's limits.
    func response(to request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse

    /// Sends a request and returns as soon as the header of the answer is there, whatever its status.
    ///
    /// - Throws: ``HTTPTransportError`` if there is no well-formed header within the request's limits.
    func stream(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportStream
}

/// A GET request, or a POST with a body, and the limits within which it is to be answered.
public struct HTTPTransportRequest: Sendable, Hashable {
    /// The address of the request, before any redirect.
    public var url: URL
    /// The header fields to send. A transport may add those that it cannot do without, `Host` for example.
    public var headers: HTTPTransportHeaders
    /// What to send by POST; `nil` for a GET. It leaves the origin of ``url`` by no redirect, and goes along with each that does not
    /// lead to another.
    public var body: Data?
    /// How many bytes the body of the answer may have, decoded. A longer one is a failure; of a stream it is how much may wait to be read.
    public var maximumBodyBytes = 1 << 20
    /// How long the header of the answer may take.
    public var responseHeaderTimeout = Duration.seconds(10)
    /// How long nothing may arrive after the header. `nil` sets no limit, for streams that are watched by their reader.
    public var idleTimeout: Duration? = .seconds(10)
    /// How many redirects are followed. Never one from https to http, or to anything but these two.
    public var maximumRedirects = 5
    /// Whether a redirect to another origin is followed. The request there carries no field but ``headersForOtherOrigins``.
    public var allowsOtherOrigins = false

    /// The fields that may be sent to another origin: nothing that identifies or authorizes anybody.
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
    /// The body, decoded; empty where there was none.
    public var body: Data

    /// Makes an answer.
    public init(status: Int, headers: HTTPTransportHeaders = HTTPTransportHeaders(), body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// An answer whose body is still on its way.
public struct HTTPTransportStream: Sendable {
    /// The status code, after redirects.
    public var status: Int
    /// The header fields.
    public var headers: HTTPTransportHeaders
    /// The body in portions as they arrive, decoded, for one reader. It ends with the body, or throws
    /// ``HTTPTransportError``. Leaving it, or cancelling the task that reads it, ends the request.
    public var chunks: AsyncThrowingStream<Data, any Error>

    /// Makes a stream.
    public init(status: Int, headers: HTTPTransportHeaders, chunks: AsyncThrowingStream<Data, any Error>) {
        self.status = status
        self.headers = headers
        self.chunks = chunks
    }
}

/// Why there is no usable answer.
public struct HTTPTransportError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What sort of failure it is. A new one is a breaking change of the API: a `switch` may go without a `default`.
    public enum Code: String, Sendable, Hashable {
        /// The calling task was cancelled, or the provider stopped.
        case cancelled
        /// The header, the next bytes or the end did not come in time.
        case timedOut = "timed-out"
        /// A redirect that must not be followed: from https to http, to another origin, to something that is not HTTP.
        case redirectRefused = "redirect-refused"
        /// More redirects in a row than allowed.
        case tooManyRedirects = "too-many-redirects"
        /// The body is longer than allowed, or more of a stream waits to be read than allowed.
        case bodyTooLarge = "body-too-large"
        /// The header is longer than allowed.
        case headerTooLarge = "header-too-large"
        /// The body ended early, or cannot be decoded.
        case incomplete
        /// The name is unknown, the connection was refused or reset, the certificate is not trusted, or the answer is not
        /// HTTP.
        case connection
    }

    /// What sort of failure it is.
    public var code: Code
    /// What happened, as a sentence without a full stop.
    public var reason: String

    /// Makes an error.
    public init(_ code: Code, reason: String) {
        self.code = code
        self.reason = reason
    }

    /// Reason and code.
    public var description: String { "\(reason) [\(code.rawValue)]" }
}

extension HTTPTransportError {
    static let headerIsTooLarge = HTTPTransportError(
        .headerTooLarge,
        reason: "the header of the answer has more than \(HTTPExchange.maximumHeaderBytes) bytes, or one line too long")
}
