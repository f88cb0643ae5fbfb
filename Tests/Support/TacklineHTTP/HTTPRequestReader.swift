/// A reader that assembles one request of HTTP/1.1 (RFC 9112) from the bytes of a connection.
///
/// It refuses what two readers could interpret differently: lines that end with LF alone, folded lines, blanks before a
/// colon, and a length that is given twice. It never holds more bytes than the limits allow, apart from one portion.
/// Bytes after the request are dropped, so a connection carries one request.
package struct HTTPRequestReader: Sendable {
    /// The sizes of a request beyond which it is refused.
    package struct Limits: Sendable {
        /// The size of everything before the body, and of the trailer after it.
        package var headBytes = 64 << 10
        package var fields = Int.max
        package var bodyBytes = 16 << 20

        package init() {}
    }

    private enum State {
        case requestLine, fields, trailer, over
        case body(count: Int)
        case chunkSize
        case chunk(count: Int)
    }

    private let limits: Limits
    private let takesBody: @Sendable (HTTPRequest) throws(HTTPRequestProblem) -> Bool
    private var state = State.requestLine
    private var request = HTTPRequest(method: "", target: "")
    private var headBudget: Int
    /// The received bytes from `position` on are still to be read, and have no line feed before `searched`.
    private var bytes: [UInt8] = []
    private var position = 0
    private var searched = 0
    private var isInvited = false

    /// - Parameter takesBody: Returns whether to read the body of a request, once its head is complete. Without it,
    ///   clients that are refused anyway could fill the memory.
    package init(
        limits: Limits = Limits(),
        takesBody: @escaping @Sendable (HTTPRequest) throws(HTTPRequestProblem) -> Bool = { _ in true }
    ) {
        self.limits = limits
        self.takesBody = takesBody
        headBudget = limits.headBytes
    }

    /// Appends the next bytes.
    ///
    /// - Returns: The request once it is complete, or `nil` before that.
    /// - Throws: The reason why the request is refused. No more bytes can be appended then.
    package mutating func append(_ portion: some Collection<UInt8>) throws(HTTPRequestProblem) -> HTTPRequest? {
        bytes.removeFirst(position)
        searched -= position
        position = 0
        bytes += portion
        while try step() {}
        if case .over = state { return request }
        return nil
    }

    /// Returns whether the client waits for the status 100 before it sends its body (RFC 9110, section 10.1.1). It is
    /// `true` once.
    package mutating func takeInvitation() -> Bool {
        switch state {
        case .body, .chunkSize: break
        default: return false
        }
        guard !isInvited, position == bytes.count, request.values("expect").first?.lowercased() == "100-continue" else {
            return false
        }
        isInvited = true
        return true
    }

    /// Reads the next part. Returns `false` if it is not there yet, or if the request is complete.
    private mutating func step() throws(HTTPRequestProblem) -> Bool {
        switch state {
        case .requestLine:
            guard let line = try headLine() else { return false }
            // A client may send blank lines before a request (RFC 9112, section 2.2).
            if !line.isEmpty { try readRequestLine(line) }
        case .fields:
            guard let line = try headLine() else { return false }
            if line.isEmpty { try beginBody() } else { try readField(line, &request.fields) }
        case .body(let count):
            guard bytes.count - position >= count else { return false }
            request.body = take(count)
            state = .over
        case .chunkSize:
            guard let line = try line(within: 4096) else { return false }
            // The text after a semicolon is an extension, which a receiver ignores.
            let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
            let count = try size(digits, radix: 16, "a chunk's size", present: request.body.count)
            state = count == 0 ? .trailer : .chunk(count: count)
        case .chunk(let count):
            guard bytes.count - position >= count + 2 else { return false }
            request.body += take(count)
            guard take(2) == Array("\r\n".utf8) else { throw malformed("a chunk is longer than its size") }
            state = .chunkSize
        case .trailer:
            guard let line = try headLine() else { return false }
            // The trailer is checked like the header fields and dropped.
            var trailer: [HTTPRequest.Field] = []
            if line.isEmpty { state = .over } else { try readField(line, &trailer) }
        case .over: return false
        }
        return true
    }

    /// Takes the next line of the head or the trailer.
    private mutating func headLine() throws(HTTPRequestProblem) -> ArraySlice<UInt8>? {
        let line = try line(within: headBudget)
        headBudget -= line.map { $0.count + 2 } ?? 0
        return line
    }

    /// Takes the next line without its end. Returns `nil` if the end has not arrived.
    private mutating func line(within budget: Int) throws(HTTPRequestProblem) -> ArraySlice<UInt8>? {
        let end = bytes[max(searched, position)...].firstIndex(of: UInt8(ascii: "\n"))
        searched = end ?? bytes.count
        let length = (end.map { $0 + 1 } ?? bytes.count) - position
        guard length <= budget else {
            throw HTTPRequestProblem(
                431, "What comes before the body of the request is too long. Send fewer cookies and header fields.")
        }
        guard let end else { return nil }
        defer { position = end + 1 }
        guard end > position, bytes[end - 1] == UInt8(ascii: "\r") else {
            throw malformed("lines have to end with CR LF")
        }
        return bytes[position..<end - 1]
    }

    private mutating func take(_ count: Int) -> [UInt8] {
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    private mutating func readRequestLine(_ line: ArraySlice<UInt8>) throws(HTTPRequestProblem) {
        let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 3, Self.isToken(parts[0]), !parts[1].isEmpty,
            parts[1].allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw malformed("its first line is not a method, a target and a version, as in GET / HTTP/1.1") }
        guard ["HTTP/1.1", "HTTP/1.0"].contains(String(decoding: parts[2], as: UTF8.self)) else {
            throw malformed("its version is not HTTP/1.0 or HTTP/1.1")
        }
        request.method = String(decoding: parts[0], as: UTF8.self)
        request.target = String(decoding: parts[1], as: UTF8.self)
        state = .fields
    }

    private func readField(
        _ line: ArraySlice<UInt8>, _ fields: inout [HTTPRequest.Field]
    ) throws(HTTPRequestProblem) {
        guard fields.count < limits.fields else {
            throw HTTPRequestProblem(431, "The request has more than \(limits.fields) header fields. Send fewer.")
        }
        // A leading blank would continue the previous line. A blank before the colon is refused too.
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), Self.isToken(line[..<colon]) else {
            throw malformed("a header line does not read: Name: value")
        }
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var value = line[(colon + 1)...].drop(while: isBlank)
        while let last = value.last, isBlank(last) { value.removeLast() }
        guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }) else {
            throw malformed("a header value has a control character")
        }
        fields.append(
            HTTPRequest.Field(
                name: String(decoding: line[..<colon], as: UTF8.self), value: String(decoding: value, as: UTF8.self)))
    }

    private mutating func beginBody() throws(HTTPRequestProblem) {
        guard try takesBody(request) else { return state = .over }
        let (encodings, lengths) = (request.values("transfer-encoding"), request.values("content-length"))
        guard encodings.isEmpty else {
            guard encodings.count == 1, encodings[0].lowercased() == "chunked", lengths.isEmpty else {
                throw malformed("Transfer-Encoding is not just chunked, or Content-Length is there too")
            }
            return state = .chunkSize
        }
        guard lengths.count < 2 else { throw malformed("Content-Length came twice") }
        guard let length = lengths.first else { return state = .over }
        state = .body(count: try size(length.utf8, radix: 10, "Content-Length"))
    }

    /// Returns the number of bytes that digits give.
    ///
    /// - Parameter present: The number of bytes that the body has already.
    private func size(
        _ digits: some Collection<UInt8>, radix: Int, _ name: String, present: Int = 0
    ) throws(HTTPRequestProblem) -> Int {
        let text = String(decoding: digits, as: UTF8.self)
        // `Int` also accepts a sign, which the grammar does not.
        guard !text.isEmpty, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || radix == 16 }),
            text.allSatisfy({ $0.isASCII && $0.isHexDigit })
        else { throw malformed("\(name) is not a number") }
        // Digits alone fail only if the number is too large.
        guard let size = Int(text, radix: radix), size <= limits.bodyBytes - present else {
            throw HTTPRequestProblem(413, "The body of the request is too large. Send less.")
        }
        return size
    }

    private func malformed(_ reason: String) -> HTTPRequestProblem {
        HTTPRequestProblem(400, "The request is malformed: \(reason).")
    }

    /// Returns whether the bytes are a token (RFC 9110, section 5.6.2).
    private static func isToken(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.isEmpty
            && bytes.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }
}
