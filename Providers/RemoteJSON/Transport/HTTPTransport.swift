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
