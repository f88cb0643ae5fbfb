import TacklineCore

/// The positions of a value and its parts in a JSON text that ``FlagJSONReader`` accepts, so that problems can name a line
/// and edits can leave the rest unchanged.
package struct FlagJSONOutline {
    /// A member of an object, or an element of an array, whose key is its position.
    package struct Member {
        package let key: String
        /// The range of the key, including its quotes. For an element, an empty range before it.
        package let keyRange: Range<Int>
        package let value: FlagJSONOutline
    }

    /// The range of the value's bytes.
    package let range: Range<Int>
    package let isObject: Bool
    package private(set) var members: [Member] = []
    private let positions: [String: Int]

    /// Reads a text.
    ///
    /// - Complexity: O(*n*) in the number of bytes.
    package init(_ bytes: [UInt8]) {
        var index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        self.init(bytes, &index)
    }

    private init(_ bytes: [UInt8], _ index: inout Int) {
        Self.skip(" \t\n\r,:", bytes, &index)
        let start = index
        isObject = bytes[index...].first == UInt8(ascii: "{")
        if isObject || bytes[index...].first == UInt8(ascii: "[") {
            index += 1
            Self.skip(" \t\n\r", bytes, &index)
            while index < bytes.count, !"]}".utf8.contains(bytes[index]) {
                let keyStart = index
                if isObject { Self.skipScalar(bytes, &index) }
                let key = isObject ? Self.text(of: bytes[keyStart..<index]) : "\(members.count)"
                let keyRange = keyStart..<index
                members.append(Member(key: key, keyRange: keyRange, value: FlagJSONOutline(bytes, &index)))
                Self.skip(" \t\n\r,", bytes, &index)
            }
            index = min(index + 1, bytes.count)
        } else {
            Self.skipScalar(bytes, &index)
        }
        range = start..<index
        positions = Dictionary(members.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private static func skip(_ characters: String, _ bytes: [UInt8], _ index: inout Int) {
        while index < bytes.count, characters.utf8.contains(bytes[index]) { index += 1 }
    }

    private static func skipScalar(_ bytes: [UInt8], _ index: inout Int) {
        guard bytes[index...].first == UInt8(ascii: "\"") else {
            while index < bytes.count, !" \t\n\r,:{}[]\"".utf8.contains(bytes[index]) { index += 1 }
            return
        }
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index = min(index + 1, bytes.count)
    }

    private static func text(of quoted: ArraySlice<UInt8>) -> String {
        guard case .string(let text)? = try? FlagJSONReader().read(Array(quoted)) else { return "" }
        return text
    }

    /// Returns the value at a path of keys and positions; `nil` if there is none.
    package func node(at path: some Sequence<String>) -> FlagJSONOutline? {
        path.reduce(Optional(self)) { node, name in
            node.flatMap { node in node.positions[name].map { node.members[$0].value } }
        }
    }

    /// Returns the offset to show for a path: that of the last member's key, of an element, or of the nearest enclosing
    /// value that exists.
    package func offset(of path: [String]) -> Int {
        guard let name = path.last else { return range.lowerBound }
        guard let around = node(at: path.dropLast()), let position = around.positions[name] else {
            return offset(of: path.dropLast())
        }
        return around.members[position].keyRange.lowerBound
    }
}
