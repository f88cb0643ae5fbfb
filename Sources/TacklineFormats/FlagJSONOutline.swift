import TacklineCore

/// The positions of the parts of a JSON text, so that problems can name a line and edits can leave the rest unchanged.
///
/// A text that isn't valid has the parts that precede the first error. A repeated key, a number out of range and similar
/// mistakes in a value are no errors here.
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
        /// The indexes of the elements among the nodes; negative for an element that is not kept.
        package var elements: [Int] = []
        package var isObject = false
    }

    /// The values in the order of the text: an object or array stands before its contents. The first is the document.
    package let nodes: [Node]
    /// The positions of the members by key, for each large object.
    private var positions: [Int: [String: Int]] = [:]

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8.
    ///   - paths: The paths of the values to keep, or `nil` for all values. A few places in a large text then take
    ///     little memory.
    /// - Complexity: O(*n*) in the number of bytes; no recursion.
    package init(_ bytes: [UInt8], along paths: [[String]]? = nil) {
        let recorder = FlagJSONOutlineRecorder(along: paths)
        bytes.withUnsafeBufferPointer { bytes in
            var parser = FlagJSONParser(bytes: bytes, limits: .none)
            parser.recorder = recorder
            _ = try? parser.readDocument(requiresObject: false)
        }
        nodes = recorder.nodes
        for (index, node) in nodes.enumerated() where node.members.count > 16 {
            positions[index] = Dictionary(node.members.enumerated().map { ($1.key, $0) }) { first, _ in first }
        }
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
                guard let position = Int(name), node.elements.indices.contains(position), node.elements[position] >= 0
                else {
                    return nil
                }
                index = node.elements[position]
            }
        }
        return index
    }
}

/// A recorder of the positions that a parser passes.
final class FlagJSONOutlineRecorder {
    /// A value whose end has not been reached.
    private struct Open {
        /// The index of its node; negative if it is not kept.
        let node: Int
        /// The paths that lead into it, or `nil` if every value is kept.
        let paths: PathTree?
        /// The key of the member that is being read, or `nil` in an array.
        var key: (name: String, range: Range<Int>)?
    }

    private(set) var nodes: [FlagJSONOutline.Node] = []
    private var open: [Open] = []
    private let root: PathTree?

    init(along paths: [[String]]?) {
        root = paths.map { paths in
            let tree = PathTree()
            for path in paths { tree.add(path) }
            return tree
        }
    }

    /// Records the key of the next value.
    func key(_ name: String, at range: Range<Int>) {
        if !open.isEmpty { open[open.count - 1].key = (name, range) }
    }

    /// Records that a value begins.
    func begin(at offset: Int, isObject: Bool) {
        let node = nodes.count
        var paths = root
        if let around = open.last {
            // An element is also counted in an array that is kept for another element.
            guard around.node >= 0, around.paths?.isEnd != true else {
                return open.append(Open(node: -1, paths: nil))
            }
            paths = around.paths?.child(around.key?.name ?? String(nodes[around.node].elements.count))
            let isKept = around.paths == nil || paths != nil
            if let key = around.key {
                if isKept {
                    nodes[around.node].members.append(.init(key: key.name, keyRange: key.range, value: node))
                }
            } else {
                nodes[around.node].elements.append(isKept ? node : -1)
            }
            guard isKept else { return open.append(Open(node: -1, paths: nil)) }
        }
        nodes.append(FlagJSONOutline.Node(range: offset..<offset, isObject: isObject))
        open.append(Open(node: node, paths: paths))
    }

    /// Records that the value ends that began last and has not ended.
    func end(at offset: Int) {
        guard let last = open.popLast(), last.node >= 0 else { return }
        nodes[last.node].range = nodes[last.node].range.lowerBound..<offset
    }
}

/// A tree of paths to keep.
private final class PathTree {
    private var children: [FlagKeyPath: PathTree] = [:]

    func add(_ path: [String]) {
        var tree = self
        for name in path {
            let name = FlagKeyPath(components: [name])
            let next = tree.children[name] ?? PathTree()
            tree.children[name] = next
            tree = next
        }
    }

    func child(_ name: String) -> PathTree? { children[FlagKeyPath(components: [name])] }

    /// Whether no path leads into the value.
    var isEnd: Bool { children.isEmpty }
}

extension FlagJSONReader.Limits {
    /// The limits of texts that are only outlined.
    fileprivate static var none: Self {
        var limits = Self()
        limits.maximumDepth = .max
        limits.maximumMembers = .max
        limits.maximumKeyBytes = .max
        limits.maximumStringBytes = .max
        limits.maximumBytes = .max
        return limits
    }
}
