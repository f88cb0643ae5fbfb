#if Web
    /// Reads the request line and the fields of a request.
    struct ConsoleHeadParser: Sendable {
        let maximumFields: Int

        /// - Parameter head: Everything up to and including the empty line.
        func parse(_ head: some Collection<UInt8>) throws(ConsoleRequestProblem) -> ConsoleRequest {
            // What is not ASCII has no place in a head; a zero or a lone line break is an attack or a mistake.
            guard head.allSatisfy({ $0 == 9 || $0 == 13 || $0 == 10 || (32..<127).contains($0) }) else {
                throw ConsoleRequestProblem(400, "The head of a request has to be ASCII text.")
            }
            // Swift takes CR LF for one character.
            let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)
            guard lines.allSatisfy({ !$0.contains("\r") && !$0.contains("\n") }) else {
                throw ConsoleRequestProblem(400, "Lines have to end with CR LF.")
            }
            var request = try requestLine(lines.first ?? "")
            let fields = lines.dropFirst().prefix { !$0.isEmpty }
            guard fields.count <= maximumFields else {
                throw ConsoleRequestProblem(431, "A request may have \(maximumFields) header fields.")
            }
            for line in fields {
                let (name, value) = try field(line)
                if request.headers[name] != nil {
                    guard !Self.single.contains(name) else {
                        throw ConsoleRequestProblem(400, "The header field \(name) came twice.")
                    }
                } else {
                    request.headers[name] = value
                }
            }
            return request
        }

        /// What decides about trust or framing comes once.
        private static let single: Set = [
            "host", "origin", "cookie", "content-length", "transfer-encoding", "content-type", "sec-fetch-site",
        ]

        private func requestLine(_ line: Substring) throws(ConsoleRequestProblem) -> ConsoleRequest {
            let parts = line.split(separator: " ", omittingEmptySubsequences: false)
            guard parts.count == 3, parts[2] == "HTTP/1.1" || parts[2] == "HTTP/1.0", Self.isToken(parts[0]) else {
                throw ConsoleRequestProblem(400, "The first line of a request has to read: GET / HTTP/1.1")
            }
            guard parts[1].hasPrefix("/") else {
                throw ConsoleRequestProblem(400, "A request has to name a path that begins with a slash.")
            }
            let target = parts[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            var query: [String: String] = [:]
            for pair in target.dropFirst().joined().split(separator: "&") {
                let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard let name = Self.decoded(sides[0]), let value = Self.decoded(sides.count > 1 ? sides[1] : "")
                else {
                    throw ConsoleRequestProblem(400, "The query of the request is not percent-encoded UTF-8.")
                }
                if query[name] == nil { query[name] = value }
            }
            return ConsoleRequest(
                method: String(parts[0]), path: String(target[0]), query: query,
                rawQuery: target.dropFirst().joined())
        }

        private func field(_ line: Substring) throws(ConsoleRequestProblem) -> (name: String, value: String) {
            // A line that begins with a blank would continue the one before; a blank before the colon is refused too.
            guard let colon = line.firstIndex(of: ":"), Self.isToken(line[..<colon]) else {
                throw ConsoleRequestProblem(400, "A header field has to read: Name: value")
            }
            let value = line[line.index(after: colon)...]
            return (line[..<colon].lowercased(), value.trimmingBlanks)
        }

        /// A token of RFC 9110, section 5.6.2.
        private static func isToken(_ text: Substring) -> Bool {
            !text.isEmpty
                && text.utf8.allSatisfy { byte in
                    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                        || "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
        }

        /// - Returns: `nil` if it is no percent-encoded UTF-8.
        static func decoded(_ text: Substring) -> String? {
            var bytes: [UInt8] = []
            var rest = text.utf8[...]
            while let byte = rest.popFirst() {
                if byte == UInt8(ascii: "%") {
                    let digits = rest.prefix(2)
                    guard digits.count == 2, let text = String(digits), let value = UInt8(text, radix: 16),
                        text.allSatisfy(\.isHexDigit)
                    else { return nil }
                    bytes.append(value)
                    rest = rest.dropFirst(2)
                } else {
                    bytes.append(byte == UInt8(ascii: "+") ? 32 : byte)
                }
            }
            return String(validating: bytes, as: UTF8.self)
        }
    }

    extension Substring {
        /// The text without blanks at its ends.
        fileprivate var trimmingBlanks: String {
            var text = self
            while let last = text.last, last == " " || last == "\t" { text.removeLast() }
            while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
            return String(text)
        }
    }
#endif
