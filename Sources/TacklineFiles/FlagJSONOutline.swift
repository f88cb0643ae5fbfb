#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation decodes keys that have escapes.

/// The positions of the parts of a JSON text, so that problems can name a line and edits can leave the rest unchanged.
///
/// The outline looks only at brackets, commas and strings; a text that isn't valid has some of its parts.
package struct FlagJSONOutline {
    package struct Member {
        package let key: String
        /// The range of the key, including its quotes.
        package let keyRange: Range<Int>
        package let value: Int
    }

    package struct Node {
        /// The range of the value's bytes.
        package var range: Range<Int>
        package var members: [Member] = []
        /// The indexes of the elements among the nodes.
        package var elements: [Int] = []
        package var isObject = false
    }

    /// The values in the order of the text: an object or array stands before its contents. The first is the document.
    package private(set) var nodes: [Node] = []
    /// The positions of the members by key, for each large object.
    private var positions: [Int: [String: Int]] = [:]

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
                if let key {
                    nodes[last].members.append(Member(key: key.text, keyRange: key.range, value: nodes.count))
                } else {
                    nodes[last].elements.append(nodes.count)
                }
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
        for (index, node) in nodes.enumerated() where node.members.count > 16 {
            positions[index] = Dictionary(node.members.enumerated().map { ($1.key, $0) }) { first, _ in first }
        }
    }

    private static func text(of quoted: ArraySlice<UInt8>) -> String {
        if quoted.contains(UInt8(ascii: "\\")), let text = try? JSONDecoder().decode(String.self, from: Data(quoted)) {
            return text
        }
        return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
    }

    /// Returns the value at a path of keys and positions; `nil` if there is none.
    package func node(at path: some Sequence<String>) -> Node? {
        index(at: path).map { nodes[$0] }
    }

    /// Returns the offset to show for a path: that of the last member's key, of an element, or of the nearest enclosing
    /// value that exists.
    package func offset(of path: [String]) -> Int {
        var path = path
        while let name = path.last {
            if let around = index(at: path.dropLast()), let member = member(name, of: around) {
                return member.keyRange.lowerBound
            }
            if let node = node(at: path) { return node.range.lowerBound }
            path.removeLast()
        }
        return nodes.first?.range.lowerBound ?? 0
    }

    private func member(_ name: String, of index: Int) -> Member? {
        if let positions = positions[index] { return positions[name].map { nodes[index].members[$0] } }
        return nodes[index].members.first { $0.key == name }
    }

    private func index(at path: some Sequence<String>) -> Int? {
        guard !nodes.isEmpty else { return nil }
        var index = 0
        for name in path {
            let node = nodes[index]
            if node.isObject {
                guard let member = member(name, of: index) else { return nil }
                index = member.value
            } else {
                guard let position = Int(name), node.elements.indices.contains(position) else { return nil }
                index = node.elements[position]
            }
        }
        return index
    }
}
