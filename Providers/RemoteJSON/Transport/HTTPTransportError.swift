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
