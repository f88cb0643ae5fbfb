/// A request as a ``LoopbackServer`` received it: complete and well-formed.
public struct LoopbackRequest: Sendable, Hashable {
    /// The method as sent; methods are case-sensitive.
    public var method: String
    /// What was asked for as sent, undecoded: a path and perhaps a query.
    public var target: String
    /// The header fields in the order in which they came, repeated ones included.
    public var headers: [LoopbackHeader]
    /// The body, with a chunked transfer already undone; empty when there was none.
    public var body: [UInt8]

    /// Makes a request, for calling a handler without a server.
    public init(method: String = "GET", target: String, headers: [LoopbackHeader] = [], body: [UInt8] = []) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
    }

    /// The target up to its query, undecoded.
    public var path: String {
        String(target.prefix { $0 != "?" })
    }

    /// The value of the first header field of that name, whatever its case; `nil` when it was not sent.
    public func headerValue(_ name: String) -> String? {
        headers.first { $0.matches(name) }?.value
    }
}
