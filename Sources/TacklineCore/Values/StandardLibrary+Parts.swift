// MARK: Taking strings apart by bytes

// `String` searches for characters, and a combining mark makes one character with the delimiter before it. The equals
// sign in `name=\u{301}x` would not be found. Text from outside is therefore taken apart by its UTF-8 bytes.

extension StringProtocol {
    /// Returns the parts between the occurrences of a separator, which must not be empty. Empty parts are kept.
    ///
    /// - Parameter maximum: The number of separators after which the rest is one part.
    /// - Complexity: O(*n*), where *n* is the length of the text.
    package func parts(separatedBy separator: String, maximum: Int = .max) -> [String] {
        let bytes = Array(utf8)
        let pattern = Array(separator.utf8)
        var parts: [String] = []
        var start = 0
        var index = 0
        while index + pattern.count <= bytes.count, parts.count < maximum {
            if bytes[index] == pattern[0], bytes[index..<(index + pattern.count)].elementsEqual(pattern) {
                parts.append(String(decoding: bytes[start..<index], as: UTF8.self))
                index += pattern.count
                start = index
            } else {
                index += 1
            }
        }
        parts.append(String(decoding: bytes[start...], as: UTF8.self))
        return parts
    }

    /// Returns the name and the value of a text such as `name=value`, or `nil` if it has no equals sign or no name. The
    /// value may contain further equals signs.
    package var assignment: (name: String, value: String)? {
        let parts = parts(separatedBy: "=", maximum: 1)
        return parts.count == 2 && !parts[0].isEmpty ? (parts[0], parts[1]) : nil
    }

    /// Returns the text after a prefix, or `nil` if the UTF-8 bytes of the text don't begin with those of the prefix.
    package func suffix(after prefix: String) -> String? {
        var text = String(self)
        return text.withUTF8 { bytes in
            bytes.starts(with: prefix.utf8) ? String(decoding: bytes.dropFirst(prefix.utf8.count), as: UTF8.self) : nil
        }
    }
}
