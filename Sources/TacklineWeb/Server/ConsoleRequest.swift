#if Web
    import FlyingFox

    extension HTTPRequest {
        /// The first value of a header field.
        func field(_ name: String) -> String? { headers[HTTPHeader(name)] }

        /// The path as it was sent.
        var sentPath: String { target.path() }

        /// The address of the page with the query, without the token. It is relative, because a proxy may have put the
        /// page under a path of its own.
        var page: String {
            let rest = target.query().split(separator: "&").filter { !$0.hasPrefix("token=") }.joined(separator: "&")
            return rest.isEmpty ? "./" : "./?\(rest)"
        }

        /// Whether a browser requests it to show it as a page.
        var isNavigation: Bool {
            guard method == .GET, sentPath == "/" else { return false }
            return field("Sec-Fetch-Dest").map { $0 == "document" } ?? field("Accept")?.contains("text/html") ?? false
        }

        /// Whether a page of another site led a browser here, such as a link in a chat.
        var isForeignNavigation: Bool {
            isNavigation && field("Sec-Fetch-Mode") == "navigate"
                && ["cross-site", "same-site"].contains(field("Sec-Fetch-Site"))
        }

        /// Returns the value of a cookie, or `nil` if it was not sent.
        func cookie(named name: String) -> String? {
            for pair in (field("Cookie") ?? "").split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " } }
                if parts.count == 2, parts[0] == name { return parts[1] }
            }
            return nil
        }
    }
#endif
