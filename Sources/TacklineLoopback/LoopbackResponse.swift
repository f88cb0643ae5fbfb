/// An ordinary, well-formed answer.
///
/// The server adds `Content-Length` and `Connection: close`. It leaves out the body for HEAD, and body and length for the
/// statuses that have none (1xx, 204, 304). Fields of `headers` that would contradict this (`Content-Length`,
/// `Transfer-Encoding`, `Connection`) are not sent; wrong ones are what ``LoopbackReply/script(_:)`` is for.
public struct LoopbackResponse: Sendable, Hashable {
    /// The status code, sent as it is.
    public var status: Int
    /// The header fields, sent in this order.
    public var headers: [LoopbackHeader]
    /// The body.
    public var body: [UInt8]

    /// Makes a response.
    public init(status: Int, headers: [LoopbackHeader] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Status 200 with JSON text, which is not checked.
    ///
    /// - Parameters:
    ///   - text: The body.
    ///   - etag: The `ETag` as it is sent, with its quotes and, where weak, its `W/`; none when `nil`.
    public static func json(_ text: String, etag: String? = nil) -> LoopbackResponse {
        var headers = [LoopbackHeader("Content-Type", "application/json")]
        if let etag {
            headers.append(LoopbackHeader("ETag", etag))
        }
        return LoopbackResponse(status: 200, headers: headers, body: Array(text.utf8))
    }

    /// Plain text in UTF-8.
    public static func text(_ text: String, status: Int = 200) -> LoopbackResponse {
        let headers = [LoopbackHeader("Content-Type", "text/plain; charset=utf-8")]
        return LoopbackResponse(status: status, headers: headers, body: Array(text.utf8))
    }

    /// A redirect. `location` may be relative, so a handler need not know its server's port.
    public static func redirect(to location: String, status: Int = 302) -> LoopbackResponse {
        LoopbackResponse(status: status, headers: [LoopbackHeader("Location", location)])
    }

    /// Status 304, with the `ETag` as it is to be sent; none when `nil`.
    public static func notModified(etag: String? = nil) -> LoopbackResponse {
        LoopbackResponse(status: 304, headers: etag.map { [LoopbackHeader("ETag", $0)] } ?? [])
    }
}
