import TacklineHTTP

/// A complete and well-formed request that a ``LoopbackServer`` received.
public struct LoopbackRequest: Sendable, Hashable {
    /// The method as it was sent. Methods are case-sensitive.
    public var method: String
    /// The target as it was sent, undecoded: a path and possibly a query.
    public var target: String
    /// The header fields in the order in which they arrived, repeated ones included.
    public var headers: [LoopbackHeader]
    /// The body, with a chunked transfer already decoded; empty if there was none.
    public var body: [UInt8]

    /// Makes a request, for calling a handler without a server.
    public init(method: String = "GET", target: String, headers: [LoopbackHeader] = [], body: [UInt8] = []) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
    }

    init(_ request: HTTPRequest) {
        self.init(
            method: request.method, target: request.target,
            headers: request.fields.map { LoopbackHeader($0.name, $0.value) }, body: request.body)
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
