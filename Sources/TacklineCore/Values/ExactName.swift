/// A name that equals only the same bytes in UTF-8.
///
/// `String` takes "é" as one character and "é" as a letter with an accent for the same text; in a document they may be the
/// names of two flags.
package struct ExactName: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: ExactName, right: ExactName) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    package func hash(into hasher: inout Hasher) {
        text.hashBytes(into: &hasher)
    }
}

extension String {
    /// Whether both are the same bytes in UTF-8. Takes linear time, which `==` does not where many marks are combined.
    package func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }

    /// Feeds the bytes in UTF-8 and their number.
    package func hashBytes(into hasher: inout Hasher) {
        var text = self
        text.withUTF8 { bytes in
            hasher.combine(bytes.count)
            hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        }
    }
}

extension Dictionary where Key == String {
    /// The value under a key of exactly these bytes.
    package subscript(exact name: String) -> Value? {
        guard let index = index(forKey: name), keys[index].hasSameBytes(as: name) else { return nil }
        return values[index]
    }
}
