/// The `ETag` of an answer (RFC 9110, section 8.8.3).
enum EntityTag {
    /// Returns the tag exactly as it was sent, a weak one included, or `nil` if it is not one well-formed tag.
    ///
    /// Two tags in one answer are none: nobody can know which of them belongs to the body.
    static func parse(_ field: String?) -> String? {
        guard let field else { return nil }
        let opaque = field.utf8.starts(with: "W/".utf8) ? field.utf8.dropFirst(2) : field.utf8[...]
        guard opaque.count >= 2, opaque.count <= 1024, opaque.first == quote, opaque.last == quote else { return nil }
        let inner = opaque.dropFirst().dropLast()
        return inner.allSatisfy { $0 >= 0x21 && $0 != quote && $0 != 0x7F } ? field : nil
    }

    private static let quote = UInt8(ascii: "\"")
}
