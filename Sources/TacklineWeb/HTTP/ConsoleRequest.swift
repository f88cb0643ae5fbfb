#if Web
    import TacklineHTTP

    /// A complete request of a client.
    struct ConsoleRequest: Sendable, Equatable {
        var method: String
        /// The target before the question mark, as it was sent.
        var path: String
        /// The percent-decoded parameters after the question mark. If a name occurs twice, the first value counts.
        var query: [String: String] = [:]
        /// The target after the question mark, as it was sent.
        var rawQuery = ""
        /// The header fields by lowercase name. If a field that may be repeated occurs twice, the first value counts.
        var headers: [String: String] = [:]
        var body: [UInt8] = []

        /// Whether a browser requests it to show it as a page.
        var isNavigation: Bool {
            guard method == "GET", path == "/" else { return false }
            return headers["sec-fetch-dest"].map { $0 == "document" } ?? headers["accept"]?.contains("text/html")
                ?? false
        }

        /// Whether a page of another site led a browser here, such as a link in a chat.
        var isForeignNavigation: Bool {
            guard isNavigation, headers["sec-fetch-mode"] == "navigate", let site = headers["sec-fetch-site"] else {
                return false
            }
            return site == "cross-site" || site == "same-site"
        }

        /// The parts of the query without the token, as they were sent.
        var otherQuery: [Substring] {
            rawQuery.split(separator: "&").filter { pair in
                Self.decoded(pair.prefix { $0 != "=" }) != "token"
            }
        }

        /// The address of the page with the query, without the token. It is relative, because a proxy may have put the
        /// page under a path of its own.
        var target: String { otherQuery.isEmpty ? "./" : "./?\(otherQuery.joined(separator: "&"))" }

        /// Returns the value of a cookie, or `nil` if it was not sent.
        func cookie(named name: String) -> String? {
            for pair in (headers["cookie"] ?? "").split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " } }
                if parts.count == 2, parts[0] == name { return parts[1] }
            }
            return nil
        }
    }

    extension ConsoleRequest {
        /// Makes a request from what was read, and refuses what browsers don't send.
        init(_ request: HTTPRequest) throws(HTTPRequestProblem) {
            guard request.target.hasPrefix("/") else {
                throw HTTPRequestProblem(400, "A request has to name a path that begins with a slash.")
            }
            let target = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            self.init(method: request.method, path: String(target[0]), rawQuery: target.dropFirst().joined())
            body = request.body
            for pair in rawQuery.split(separator: "&") {
                let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard let name = Self.decoded(sides[0]), let value = Self.decoded(sides.count > 1 ? sides[1] : "")
                else {
                    throw HTTPRequestProblem(400, "The query of the request is not percent-encoded UTF-8.")
                }
                if query[name] == nil { query[name] = value }
            }
            for field in request.fields {
                let name = field.name.lowercased()
                guard field.value.utf8.allSatisfy({ $0 < 0x80 }), headers[name] == nil || !Self.single.contains(name)
                else {
                    throw HTTPRequestProblem(400, "The header field \(name) came twice, or has more than ASCII text.")
                }
                if headers[name] == nil { headers[name] = field.value }
            }
            if headers["transfer-encoding"] != nil {
                throw HTTPRequestProblem(501, "Bodies have to come with a Content-Length.")
            }
            if method == "POST", headers["content-length"] == nil {
                throw HTTPRequestProblem(411, "A body has to come with a Content-Length.")
            }
        }

        /// The fields that decide about trust or framing. Each may occur only once.
        private static let single: Set = [
            "host", "origin", "cookie", "content-length", "transfer-encoding", "content-type", "sec-fetch-site",
        ]

        /// - Returns: The decoded text, or `nil` if it is not percent-encoded UTF-8.
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
#endif
