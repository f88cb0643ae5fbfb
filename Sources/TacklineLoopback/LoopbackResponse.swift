import TacklineHTTP

/// An ordinary, well-formed answer.
///
/// The server adds `Content-Length` and `Connection: close`. It omits the body for HEAD, and body and length for the
/// statuses that have none (1xx, 204, 304). Fields of `headers` that would contradict this (`Content-Length`,
/// `Transfer-Encoding`, `Connection`) are not sent. To send wrong ones, use ``LoopbackReply/script(_:)``.
public struct LoopbackResponse: Sendable, Hashable {
    /// The status code, which is not checked.
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

    /// Returns a response with status 200 and JSON text, which is not checked.
    ///
    /// - Parameters:
    ///   - text: The body.
    ///   - etag: The `ETag` as it is sent, with its quotes and, if weak, its `W/`; `nil` for none.
    public static func json(_ text: String, etag: String? = nil) -> LoopbackResponse {
        var headers = [LoopbackHeader("Content-Type", "application/json")]
        if let etag {
            headers.append(LoopbackHeader("ETag", etag))
        }
        return LoopbackResponse(status: 200, headers: headers, body: Array(text.utf8))
    }

    /// Returns a response with plain text in UTF-8.
    public static func text(_ text: String, status: Int = 200) -> LoopbackResponse {
        let headers = [LoopbackHeader("Content-Type", "text/plain; charset=utf-8")]
        return LoopbackResponse(status: status, headers: headers, body: Array(text.utf8))
    }

    /// Returns a redirect. `location` may be relative, so a handler need not know its server's port.
    public static func redirect(to location: String, status: Int = 302) -> LoopbackResponse {
        LoopbackResponse(status: status, headers: [LoopbackHeader("Location", location)])
    }

    /// Returns a response with status 304 and the `ETag` as it is to be sent; `nil` for none.
    public static func notModified(etag: String? = nil) -> LoopbackResponse {
        LoopbackResponse(status: 304, headers: etag.map { [LoopbackHeader("ETag", $0)] } ?? [])
    }
}

extension LoopbackResponse {
    /// Returns the bytes to send (RFC 9112) in answer to a request with that method.
    func bytes(answering method: String) -> [UInt8] {
        let hasNoBody = (100..<200).contains(status) || status == 204 || status == 304
        var fields = headers.filter { header in
            !["Content-Length", "Transfer-Encoding", "Connection"].contains { header.matches($0) }
        }
        if !hasNoBody {
            fields.append(LoopbackHeader("Content-Length", String(body.count)))
        }
        fields.append(LoopbackHeader("Connection", "close"))
        let head = Array(Self.head(status: status, headers: fields).utf8)
        return hasNoBody || method == "HEAD" ? head : head + body
    }

    /// Returns the status line, the header fields and the blank line.
    static func head(status: Int, headers: [LoopbackHeader]) -> String {
        HTTPResponseHead.text(status: status, fields: headers.lazy.map { ($0.name, $0.value) })
    }
}
