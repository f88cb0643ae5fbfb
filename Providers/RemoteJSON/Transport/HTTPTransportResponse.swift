#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: `Data` is what clients receive.

/// A complete answer.
public struct HTTPTransportResponse: Sendable, Hashable {
    /// The status code of the last answer, after redirects.
    public var status: Int
    /// The header fields.
    public var headers: HTTPHeaders
    /// The body, decoded; empty where there was none.
    public var body: Data

    /// Makes an answer.
    public init(status: Int, headers: HTTPHeaders = HTTPHeaders(), body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
