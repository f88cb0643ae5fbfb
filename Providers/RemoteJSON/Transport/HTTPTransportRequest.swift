#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: `URL` is what applications have.

/// A GET request and the limits within which it is to be answered.
public struct HTTPTransportRequest: Sendable, Hashable {
    /// The address of the request, before any redirect.
    public var url: URL
    /// The header fields to send. A transport may add those that it cannot do without, `Host` for example.
    public var headers: HTTPHeaders
    /// How many bytes the body may have, decoded. A longer one is a failure; of a stream it is how much may wait to be read.
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
    public init(url: URL, headers: HTTPHeaders = HTTPHeaders()) {
        self.url = url
        self.headers = headers
    }
}
