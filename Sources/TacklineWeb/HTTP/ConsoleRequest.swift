#if Web
    /// One request of a client, read in full.
    struct ConsoleRequest: Sendable, Equatable {
        var method: String
        /// What stands before the question mark, as it was sent.
        var path: String
        /// The parts behind the question mark, percent signs resolved; the first of a name counts.
        var query: [String: String] = [:]
        /// By lowercase name. A name that came twice, and may, holds the first value.
        var headers: [String: String] = [:]
        var body: [UInt8] = []

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
