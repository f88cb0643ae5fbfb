/// What carries one request of an ``HTTPExchange``.
protocol HTTPExchangeWork: Sendable {
    /// Begins.
    func resume()
    /// Ends as soon as possible; may be called without ``resume()``. Must not call the exchange back on the same thread.
    func cancel()
}
