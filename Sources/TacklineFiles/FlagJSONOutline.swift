import TacklineCore

/// The positions of a value and its parts in a JSON text that ``FlagJSONReader`` accepts, so that problems can name a line
/// and edits can leave the rest unchanged.
package struct FlagJSONOutline {
    /// The key of a member, or the position of an element.
    package let key: String
    /// The range of the key, including its quotes. For an element, an empty range before it.
    package let keyRange: Range<Int>
    /// The range of the value's bytes.
    package let range: Range<Int>
    /// The members of an object, or the elements of an array.
    package let members: [FlagJSONOutline]
    private let positions: [String: Int]

    /// Reads a text.
    ///
    /// - Complexity: O(*n*) in the number of bytes.
    package init(_ bytes: [UInt8]) { self.init(bytes, "", 0..<0) }

    private init(_ bytes: [UInt8], _ key: String, _ keyRange: Range<Int>) {
        let start = Self.token(bytes, from: keyRange.upperBound)
        let isObject = bytes[start].first == UInt8(ascii: "{")
        var (members, end) = ([FlagJSONOutline](), start.upperBound)
        while isObject || bytes[start].first == UInt8(ascii: "[") {
            let next = Self.token(bytes, from: end)
            guard let first = bytes[next].first, !"]}".utf8.contains(first) else {
                end = next.upperBound
                break
            }
            let text = isObject ? try? FlagJSONReader().read(bytes[next]) : .string("\(members.count)")
            let name = if case .string(let name)? = text { name } else { "" }
            members.append(FlagJSONOutline(bytes, name, isObject ? next : next.lowerBound..<next.lowerBound))
            end = members[members.count - 1].range.upperBound
        }
        (self.key, self.keyRange, range, self.members) = (key, keyRange, start.lowerBound..<end, members)
        positions = Dictionary(members.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the range of the next text, number, word or bracket, which is empty at the end.
    private static func token(_ bytes: [UInt8], from offset: Int) -> Range<Int> {
        let blanks = " \t\n\r,:\u{FEFF}".utf8
        guard let start = bytes[offset...].firstIndex(where: { !blanks.contains($0) }) else {
            return bytes.count..<bytes.count
        }
        var end = start + 1
        if bytes[start] == UInt8(ascii: "\"") {
            while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
                end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
            }
            end += 1
        } else if !"{}[]".utf8.contains(bytes[start]) {
            while end < bytes.count, !blanks.contains(bytes[end]), !"{}[]\"".utf8.contains(bytes[end]) { end += 1 }
        }
        return start..<min(end, bytes.count)
    }

    /// Returns the value at a path of keys and positions; `nil` if there is none.
    package func node(at path: some Sequence<String>) -> FlagJSONOutline? {
        path.reduce(Optional(self)) { node, name in
            node.flatMap { node in node.positions[name].map { node.members[$0] } }
        }
    }

    /// Returns the offset to show for a path: that of the last member's key, of an element, or of the nearest enclosing
    /// value that exists.
    package func offset(of path: [String]) -> Int {
        if path.isEmpty { return range.lowerBound }
        return node(at: path)?.keyRange.lowerBound ?? offset(of: path.dropLast())
    }
}
