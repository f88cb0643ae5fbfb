/// Reads one request (RFC 9112) and nothing past it.
struct LoopbackRequestReader {
    private static let headerLimit = 64 * 1024
    private static let bodyLimit = 16 * 1024 * 1024

    private var reader: LoopbackByteReader
    private var headerBudget = Self.headerLimit

    init(socket: LoopbackSocket) {
        reader = LoopbackByteReader(socket: socket)
    }

    /// Blocks until the request is complete; `nil` when the connection ended first.
    mutating func read() throws(LoopbackRequestProblem) -> LoopbackRequest? {
        guard let startLine = try firstLine() else { return nil }
        let (method, target) = try Self.parseRequestLine(startLine)
        guard let headers = try readHeaders() else { return nil }
        var request = LoopbackRequest(method: method, target: target, headers: headers)
        guard let body = try readBody(of: request) else { return nil }
        request.body = body
        return request
    }

    /// The first line that is not blank: a client may send blank ones before it (RFC 9112, section 2.2).
    private mutating func firstLine() throws(LoopbackRequestProblem) -> [UInt8]? {
        while let line = try reader.line(budget: &headerBudget) {
            if !line.isEmpty {
                return line
            }
        }
        return nil
    }

    private static func parseRequestLine(_ line: [UInt8]) throws(LoopbackRequestProblem) -> (String, String) {
        let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 3, isToken(parts[0]), !parts[1].isEmpty,
            parts[1].allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .malformed("the request line is not a method, a target and a version") }
        guard parts[2].starts(with: Array("HTTP/1.".utf8)), parts[2].count == 8 else {
            throw .malformed("the version is not HTTP/1.0 or HTTP/1.1")
        }
        return (String(decoding: parts[0], as: UTF8.self), String(decoding: parts[1], as: UTF8.self))
    }

    private mutating func readHeaders() throws(LoopbackRequestProblem) -> [LoopbackHeader]? {
        var headers: [LoopbackHeader] = []
        while let line = try reader.line(budget: &headerBudget) {
            guard !line.isEmpty else { return headers }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), Self.isToken(line[..<colon]) else {
                throw .malformed("a header line has no name")
            }
            let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
            var value = line[(colon + 1)...].drop(while: isBlank)
            while let last = value.last, isBlank(last) {
                value.removeLast()
            }
            guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }) else {
                throw .malformed("a header value has a control character")
            }
            headers.append(
                LoopbackHeader(String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
            )
        }
        return nil
    }

    /// Empty without a body.
    private mutating func readBody(of request: LoopbackRequest) throws(LoopbackRequestProblem) -> [UInt8]? {
        let encodings = request.headers.filter { $0.matches("Transfer-Encoding") }.map(\.value)
        let lengths = Set(request.headers.filter { $0.matches("Content-Length") }.map(\.value))
        guard !encodings.isEmpty else {
            guard lengths.count < 2 else { throw .malformed("there are two values of Content-Length") }
            guard let length = lengths.first else { return [] }
            let count = try Self.parseSize(length.utf8, radix: 10, name: "Content-Length")
            invite(request, bodyCount: count)
            var body: [UInt8] = []
            return reader.append(count, to: &body) ? body : nil
        }
        guard encodings.count == 1, encodings[0].lowercased() == "chunked", lengths.isEmpty else {
            throw .malformed("Transfer-Encoding is not just chunked, or Content-Length is there too")
        }
        invite(request, bodyCount: 1)
        return try readChunks()
    }

    private mutating func readChunks() throws(LoopbackRequestProblem) -> [UInt8]? {
        var body: [UInt8] = []
        while true {
            var lineBudget = 4096
            guard let line = try reader.line(budget: &lineBudget) else { return nil }
            // What follows a semicolon is an extension, which a receiver ignores.
            let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
            let count = try Self.parseSize(digits, radix: 16, name: "a chunk's size")
            guard count > 0 else { break }
            guard body.count + count <= Self.bodyLimit else { throw .bodyTooLarge }
            guard reader.append(count, to: &body) else { return nil }
            lineBudget = 2
            guard let end = try reader.line(budget: &lineBudget) else { return nil }
            guard end.isEmpty else { throw .malformed("a chunk is longer than its size") }
        }
        // The trailer is checked like headers and dropped.
        return try readHeaders() == nil ? nil : body
    }

    /// Asks for the body if the client waits to be asked (RFC 9110, section 10.1.1).
    private func invite(_ request: LoopbackRequest, bodyCount: Int) {
        let isWaiting = request.headerValue("Expect")?.lowercased() == "100-continue"
        guard isWaiting, bodyCount > 0, !reader.hasBufferedBytes else { return }
        // A failure shows when the body is read.
        _ = reader.socket.transmit(Array(LoopbackResponse.head(status: 100, headers: []).utf8))
    }

    private static func parseSize(
        _ digits: some Collection<UInt8>,
        radix: Int,
        name: String
    ) throws(LoopbackRequestProblem) -> Int {
        let text = String(decoding: digits, as: UTF8.self)
        // `Int` also takes a sign, which the grammar does not.
        guard let first = text.first, first.isHexDigit, text.allSatisfy(\.isHexDigit), text.allSatisfy(\.isASCII),
            radix == 16 || text.allSatisfy({ ("0"..."9").contains($0) })
        else { throw .malformed("\(name) is not a number") }
        // Digits alone fail only by being too many.
        guard let size = Int(text, radix: radix), size <= bodyLimit else { throw .bodyTooLarge }
        return size
    }

    /// Whether it is a token (RFC 9110, section 5.6.2).
    private static func isToken(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.isEmpty
            && bytes.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}
