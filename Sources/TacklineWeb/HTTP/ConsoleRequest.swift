#if Web
    /// One request of a client, read in full.
    struct ConsoleRequest: Sendable, Equatable {
        var method: String
        /// What stands before the question mark, as it was sent.
        var path: String
        /// The parts behind the question mark, percent signs resolved; the first of a name counts.
        var query: [String: String] = [:]
        /// What stands behind the question mark, as it was sent.
        var rawQuery = ""
        /// By lowercase name. A name that came twice, and may, holds the first value.
        var headers: [String: String] = [:]
        var body: [UInt8] = []

        /// Whether a browser asks for it to show it as a page.
        var isNavigation: Bool {
            guard method == "GET", path == "/" else { return false }
            return headers["sec-fetch-dest"].map { $0 == "document" } ?? headers["accept"]?.contains("text/html")
                ?? false
        }

        /// Whether a page elsewhere led a browser here, such as a link in a chat.
        var isForeignNavigation: Bool {
            guard isNavigation, headers["sec-fetch-mode"] == "navigate", let site = headers["sec-fetch-site"] else {
                return false
            }
            return site == "cross-site" || site == "same-site"
        }

        /// The parts of the query without the token, as they were sent.
        var otherQuery: [Substring] {
            rawQuery.split(separator: "&").filter { pair in
                ConsoleHeadParser.decoded(pair.prefix { $0 != "=" }) != "token"
            }
        }

        /// The path and the query without the token.
        var target: String { otherQuery.isEmpty ? path : "\(path)?\(otherQuery.joined(separator: "&"))" }

        /// The value of one cookie; `nil` if it was not sent.
        func cookie(named name: String) -> String? {
            for pair in (headers["cookie"] ?? "").split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " } }
                if parts.count == 2, parts[0] == name { return parts[1] }
            }
            return nil
        }
    }
#endif
