/// One header field of a request or a response.
public struct LoopbackHeader: Sendable, Hashable {
    /// The name as it was or will be sent.
    public var name: String
    /// The value without the white space around it.
    public var value: String

    /// Makes a header field. Neither part is checked; a line break in one is sent unchanged.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Returns whether this field has the name, regardless of case (RFC 9110, section 5.1).
    public func matches(_ name: String) -> Bool {
        self.name.lowercased() == name.lowercased()
    }
}

/// A complete request that a ``LoopbackServer`` received.
public struct LoopbackRequest: Sendable {
    /// The method as it was sent. Methods are case-sensitive.
    public var method: String
    /// The target as it was sent, undecoded: a path and possibly a query.
    public var target: String
    /// The header fields in the order in which they arrived, repeated ones included.
    public var headers: [LoopbackHeader]
    /// The body that `Content-Length` announces, or empty.
    public var body: [UInt8]

    /// Reads a request line and the header fields, or returns `nil` if they are malformed.
    init?(head: String) {
        let lines = head.split(separator: "\r\n")
        let parts = lines.first?.split(separator: " ") ?? []
        guard parts.count == 3 else { return nil }
        method = String(parts[0])
        target = String(parts[1])
        headers = []
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[colon...].dropFirst().drop { $0 == " " || $0 == "\t" }
            headers.append(LoopbackHeader(String(line[..<colon]), String(value)))
        }
        body = []
    }

    /// The target up to its query, undecoded.
    public var path: String {
        String(target.prefix { $0 != "?" })
    }

    /// Returns the value of the first header field of that name, regardless of case, or `nil` if there is none.
    public func headerValue(_ name: String) -> String? {
        headers.first { $0.matches(name) }?.value
    }
}

/// An ordinary, well-formed answer.
///
/// The server adds `Content-Length` and `Connection: close`. It omits body and length for the statuses that have none
/// (1xx, 204, 304). To send wrong ones, use ``LoopbackReply/script(_:)``.
public struct LoopbackResponse: Sendable {
    /// The status code, which is not checked.
    public var status: Int
    /// The header fields, sent in this order.
    public var headers: [LoopbackHeader]
    /// The body.
    public var body: [UInt8]
    /// Whether the connection stays open for another request. The default is `false`.
    public var keepsConnection = false

    /// Makes a response.
    public init(status: Int, headers: [LoopbackHeader] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Returns a response with status 200 and JSON text, which is not checked. The `ETag` is sent as it is given.
    public static func json(_ text: String, etag: String? = nil) -> LoopbackResponse {
        let headers = [LoopbackHeader("Content-Type", "application/json")] + tag(etag)
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

    /// Returns a response with status 304. The `ETag` is sent as it is given.
    public static func notModified(etag: String? = nil) -> LoopbackResponse {
        LoopbackResponse(status: 304, headers: tag(etag))
    }

    private static func tag(_ etag: String?) -> [LoopbackHeader] {
        etag.map { [LoopbackHeader("ETag", $0)] } ?? []
    }

    /// The bytes to send (RFC 9112).
    var bytes: [UInt8] {
        let hasNoBody = (100..<200).contains(status) || status == 204 || status == 304
        var fields = headers
        if !hasNoBody { fields.append(LoopbackHeader("Content-Length", String(body.count))) }
        if !keepsConnection { fields.append(LoopbackHeader("Connection", "close")) }
        let head = Array(Self.head(status: status, headers: fields).utf8)
        return hasNoBody ? head : head + body
    }

    /// Returns the status line without a phrase, the header fields and the blank line.
    static func head(status: Int, headers: [LoopbackHeader]) -> String {
        headers.reduce("HTTP/1.1 \(status) \r\n") { $0 + "\($1.name): \($1.value)\r\n" } + "\r\n"
    }
}

/// The answer of a handler.
public enum LoopbackReply: Sendable {
    /// A well-formed response, after which the connection is closed.
    case response(LoopbackResponse)
    /// The exact bytes, pauses and endings, in order. A connection that is still open after the last step is closed.
    ///
    /// A script ends early if the client closes the connection or the server is stopped. Nothing is added to it.
    case script([LoopbackStep])
}
