import TacklineCore

/// Conversions of JSON Pointers (RFC 6901), which name a place in a document.
package enum JSONPointer {
    static func text(_ components: [String]) -> String {
        components.map { component in
            // Tildes are replaced first: otherwise the tilde in `~1` would be escaped again.
            "/"
                + component.parts(separatedBy: "~").joined(separator: "~0")
                .parts(separatedBy: "/").joined(separator: "~1")
        }.joined()
    }

    package static func components(_ text: String) -> [String] {
        text.parts(separatedBy: "/").dropFirst().map { component in
            component.parts(separatedBy: "~1").map { $0.parts(separatedBy: "~0").joined(separator: "~") }
                .joined(separator: "/")
        }
    }
}
