import TacklineCore

/// The positions of the parts of a JSON text, so that problems can name a line and edits can leave the rest unchanged.
///
/// The outline looks only at brackets, commas and strings; a text that isn't valid has some of its parts.
package struct FlagJSONOutline {
    /// A member of an object, or an element of an array, whose key is its position.
    package struct Member {
        package let key: String
        /// The range of the key, including its quotes. For an element, an empty range before it.
        package let keyRange: Range<Int>
        /// The index of the value among the nodes.
        package let value: Int
    }

    package struct Node {
        /// The range of the value's bytes.
        package var range: Range<Int>
        package let isObject: Bool
        package var members: [Member] = []
        /// The positions of the members by key. The first of two members with one key counts.
        fileprivate var positions: [String: Int] = [:]
    }

    /// The values in the order of the text: an object or array stands before its contents. The first is the document.
    package private(set) var nodes: [Node] = []

    /// Reads a text.
    ///
    /// - Complexity: O(*n*) in the number of bytes; no recursion.
    package init(_ bytes: [UInt8]) {
        /// The containers that have not ended, by their indexes.
        var open: [Int] = []
        var key: (text: String, range: Range<Int>)?
        var index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0

        /// Adds a value to the innermost container.
        func begin(_ range: Range<Int>, isObject: Bool = false) {
            if let last = open.last {
                let position = nodes[last].members.count
                let (name, keyRange) = key ?? ("\(position)", range.lowerBound..<range.lowerBound)
                nodes[last].members.append(Member(key: name, keyRange: keyRange, value: nodes.count))
                if nodes[last].positions[name] == nil { nodes[last].positions[name] = position }
            }
            key = nil
            nodes.append(Node(range: range, isObject: isObject))
        }

        while index < bytes.count {
            let start = index
            index += 1
            switch bytes[start] {
            case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: ":"): break
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                begin(start..<index, isObject: bytes[start] == UInt8(ascii: "{"))
                open.append(nodes.count - 1)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard let last = open.popLast() else { return }
                nodes[last].range = nodes[last].range.lowerBound..<index
                key = nil
            case UInt8(ascii: "\""):
                while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
                    index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
                }
                index = min(index + 1, bytes.count)
                if key == nil, let last = open.last, nodes[last].isObject {
                    key = (Self.text(of: bytes[start..<index]), start..<index)
                } else {
                    begin(start..<index)
                }
            default:
                while index < bytes.count, !" \t\n\r,:{}[]\"".utf8.contains(bytes[index]) { index += 1 }
                begin(start..<index)
            }
        }
    }

    private static func text(of quoted: ArraySlice<UInt8>) -> String {
        if quoted.contains(UInt8(ascii: "\\")), case .string(let text)? = try? FlagJSONReader().read(Array(quoted)) {
            return text
        }
        return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
    }

    /// Returns the value at a path of keys and positions; `nil` if there is none.
    package func node(at path: some Sequence<String>) -> Node? {
        guard var node = nodes.first else { return nil }
        for name in path {
            guard let position = node.positions[name] else { return nil }
            node = nodes[node.members[position].value]
        }
        return node
    }

    /// Returns the offset to show for a path: that of the last member's key, of an element, or of the nearest enclosing
    /// value that exists.
    package func offset(of path: [String]) -> Int {
        guard let name = path.last, let around = node(at: path.dropLast()) else {
            return path.isEmpty ? nodes.first?.range.lowerBound ?? 0 : offset(of: Array(path.dropLast()))
        }
        guard let position = around.positions[name] else { return offset(of: Array(path.dropLast())) }
        return around.members[position].keyRange.lowerBound
    }
}
