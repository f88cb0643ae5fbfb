#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: `Data` is what clients receive.

/// Ends a request when the stream of its body is gone.
final class HTTPExchangeLease: Sendable {
    private let exchange: HTTPExchange

    /// Waits for the header, and returns the answer whose body is still on its way.
    static func stream(_ exchange: HTTPExchange) async throws(HTTPTransportError) -> HTTPTransportStream {
        let head = try await exchange.head()
        let lease = HTTPExchangeLease(exchange)
        let chunks = AsyncThrowingStream<Data, any Error> { try await lease.exchange.nextChunk() }
        return HTTPTransportStream(status: head.status, headers: head.headers, chunks: chunks)
    }

    private init(_ exchange: HTTPExchange) {
        self.exchange = exchange
    }

    deinit {
        exchange.cancel()
    }
}
