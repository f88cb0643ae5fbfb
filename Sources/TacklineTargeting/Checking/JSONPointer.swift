import TacklineCore

/// Conversions of JSON Pointers (RFC 6901), which name a place in a document.
package enum JSONPointer {
    static func text(_ components: [String]) -> String {
        components.map { component in
            // Tildes are replaced first: otherwise the tilde in `~1` would be escaped again.
            "/" + component.replacing("~", with: "~0").replacing("/", with: "~1")
        }.joined()
    }

    package static func components(_ text: String) -> [String] {
        text.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { component in
            String(component).replacing("~1", with: "/").replacing("~0", with: "~")
        }
    }
}
