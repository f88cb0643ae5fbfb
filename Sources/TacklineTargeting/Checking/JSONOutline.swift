import TacklineCore
import TacklineFormats

/// Where the parts of a JSON text stand, so that findings can name a line and edits leave the rest alone.
///
/// Only for a text that ``/TacklineFormats/FlagJSONReader`` has accepted: nothing is checked again.
package struct JSONOutline {
    package struct Member {
        package let key: String
        /// The key with its quotes.
        package let keyRange: Range<Int>
        package let value: Int
    }

    package struct Node {
        /// From the first byte of the value to the one after its last.
        package var range: Range<Int>
        package var members: [Member] = []
        package var elements: [Int] = []
        package var isObject = false
    }

    /// The values, each object and array before what is in it. The first is the document.
    package private(set) var nodes: [Node] = []
    /// For each large object, where its members stand in it.
    private var positions: [Int: [String: Int]] = [:]

    /// Reads a text.
    ///
    /// - Complexity: O(*n*) in the number of bytes; no recursion.
    package init(_ bytes: [UInt8]) {
        var scanner = JSONOutlineScanner(bytes)
        nodes = scanner.nodes()
        for (index, node) in nodes.enumerated() where node.members.count > 16 {
            positions[index] = Dictionary(node.members.enumerated().map { ($1.key, $0) }) { first, _ in first }
        }
    }

    /// The value that members and elements lead to; `nil` if there is none.
    package func node(at path: some Sequence<String>) -> Node? {
        index(at: path).map { nodes[$0] }
    }

    /// The member that a path ends with; `nil` if there is none.
    package func member(at path: [String]) -> Member? {
        guard let name = path.last, let around = index(at: path.dropLast()) else { return nil }
        return member(name, of: around)
    }

    /// The place to show for a path: the last member's key, an element, or the nearest thing around it that exists.
    package func offset(of path: [String]) -> Int {
        var path = path
        while !path.isEmpty {
            if let member = member(at: path) { return member.keyRange.lowerBound }
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

/// Goes once over a JSON text that is known to be right.
private struct JSONOutlineScanner {
    private let bytes: [UInt8]
    private var position = 0
    private var found: [JSONOutline.Node] = []
    /// The open arrays and objects, with the key of the member that is being read.
    private var open: [(node: Int, key: Range<Int>?)] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    mutating func nodes() -> [JSONOutline.Node] {
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                let node = begin(isObject: bytes[position] == UInt8(ascii: "{"))
                open.append((node, nil))
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                position += 1
                if let last = open.popLast() { end(last.node) }
            case UInt8(ascii: "\""):
                let range = string()
                if let last = open.last, found[last.node].isObject, last.key == nil {
                    open[open.count - 1].key = range
                } else {
                    end(begin(isObject: false, at: range.lowerBound))
                }
            case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D:
                position += 1
            default:
                let node = begin(isObject: false)
                while position < bytes.count, !JSONOutlineScanner.endsLiteral(bytes[position]) { position += 1 }
                end(node)
            }
        }
        return found
    }

    /// Notes a value that begins, and hangs it into what is open.
    private mutating func begin(isObject: Bool, at start: Int? = nil) -> Int {
        let start = start ?? position
        let node = found.count
        found.append(JSONOutline.Node(range: start..<start, isObject: isObject))
        guard let last = open.last else { return node }
        if let key = last.key {
            found[last.node].members.append(JSONOutline.Member(key: text(key), keyRange: key, value: node))
            open[open.count - 1].key = nil
        } else {
            found[last.node].elements.append(node)
        }
        return node
    }

    private mutating func end(_ node: Int) {
        found[node].range = found[node].range.lowerBound..<position
    }

    private mutating func string() -> Range<Int> {
        let start = position
        position += 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        position = min(position + 1, bytes.count)
        return start..<position
    }

    private func text(_ range: Range<Int>) -> String {
        let literal = Array(bytes[range])
        guard literal.contains(UInt8(ascii: "\\")) else {
            return String(decoding: literal.dropFirst().dropLast(), as: UTF8.self)
        }
        guard case .string(let text)? = try? FlagJSONReader().read(literal) else { return "" }
        return text
    }

    private static func endsLiteral(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x09, 0x0A, 0x0D: true
        default: false
        }
    }
}
