#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: `Data` is what clients receive.

/// An answer whose body is still on its way.
public struct HTTPTransportStream: Sendable {
    /// The status code, after redirects.
    public var status: Int
    /// The header fields.
    public var headers: HTTPHeaders
    /// The body in portions as they arrive, decoded, for one reader. It ends with the body, or throws
    /// ``HTTPTransportError``. Leaving it, or cancelling the task that reads it, ends the request.
    public var chunks: AsyncThrowingStream<Data, any Error>

    /// Makes a stream.
    public init(status: Int, headers: HTTPHeaders, chunks: AsyncThrowingStream<Data, any Error>) {
        self.status = status
        self.headers = headers
        self.chunks = chunks
    }
}
