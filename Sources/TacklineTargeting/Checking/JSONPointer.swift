/// JSON Pointers (RFC 6901), which say where in a document something stands.
enum JSONPointer {
    static func text(_ components: [String]) -> String {
        components.map { component in
            // Replaced in this order, or the tilde of the second would be escaped again.
            "/"
                + component.split(separator: "~", omittingEmptySubsequences: false).joined(separator: "~0")
                .split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~1")
        }.joined()
    }

    static func components(_ text: String) -> [String] {
        text.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { component in
            component.split(separator: "~1", omittingEmptySubsequences: false).map {
                $0.split(separator: "~0", omittingEmptySubsequences: false).joined(separator: "~")
            }.joined(separator: "/")
        }
    }
}
