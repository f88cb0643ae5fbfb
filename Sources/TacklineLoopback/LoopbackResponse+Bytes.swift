extension LoopbackResponse {
    /// The response as it goes over the wire (RFC 9112) in answer to a request with that method.
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

    /// The status line, the header fields and the blank line.
    static func head(status: Int, headers: [LoopbackHeader]) -> String {
        var text = "HTTP/1.1 \(status) \(reason(for: status))\r\n"
        for header in headers {
            text += "\(header.name): \(header.value)\r\n"
        }
        return text + "\r\n"
    }

    /// The usual words for a status. They may be empty (RFC 9112, section 4) and are here for people who read traces.
    private static func reason(for status: Int) -> String {
        switch status {
        case 100: "Continue"
        case 103: "Early Hints"
        case 200: "OK"
        case 201: "Created"
        case 204: "No Content"
        case 206: "Partial Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 410: "Gone"
        case 413: "Content Too Large"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 503: "Service Unavailable"
        default: ""
        }
    }
}
