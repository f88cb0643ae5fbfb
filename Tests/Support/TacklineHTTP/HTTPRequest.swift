/// A request that a server has received.
package struct HTTPRequest: Sendable, Hashable {
    /// A header field with its name as it was sent, and its value without the white space around it.
    package struct Field: Sendable, Hashable {
        package var name: String
        package var value: String
    }

    /// The method as it was sent. Methods are case-sensitive.
    package var method: String
    /// The target as it was sent, undecoded.
    package var target: String
    /// The header fields in the order in which they arrived, repeated ones included.
    package var fields: [Field] = []
    /// The body, with a chunked transfer already decoded; empty if there was none.
    package var body: [UInt8] = []

    /// Returns the values of the fields with a name in lower case, in order.
    package func values(_ name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name }.map(\.value)
    }
}

/// A reason to refuse a request, with the status of the response.
package struct HTTPRequestProblem: Error, Sendable, Hashable {
    package var status: Int
    /// A sentence for people, with what to do next.
    package var message: String

    package init(_ status: Int, _ message: String) {
        self.status = status
        self.message = message
    }
}

/// The beginning of a response.
package enum HTTPResponseHead {
    /// Returns the status line, the header fields and the blank line, as they are given.
    package static func text(status: Int, fields: some Sequence<(name: String, value: String)>) -> String {
        fields.reduce("HTTP/1.1 \(status) \(phrases[status] ?? "")\r\n") { $0 + "\($1.name): \($1.value)\r\n" } + "\r\n"
    }

    /// The usual reason phrases. They may be missing (RFC 9112, section 4) and help people who read traces.
    private static let phrases = [
        100: "Continue", 103: "Early Hints", 200: "OK", 201: "Created", 204: "No Content", 206: "Partial Content",
        301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect",
        308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict", 410: "Gone", 411: "Length Required",
        413: "Content Too Large", 415: "Unsupported Media Type", 422: "Unprocessable Content",
        429: "Too Many Requests", 431: "Request Header Fields Too Large", 500: "Internal Server Error",
        501: "Not Implemented", 503: "Service Unavailable",
    ]
}
