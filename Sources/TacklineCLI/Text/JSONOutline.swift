#if CommandLine
    import TacklineCore

    /// Where the parts of a JSON text stand, so that findings can name a line and edits leave the rest alone.
    ///
    /// Only for a text that ``FlagJSONReader`` has accepted: nothing is checked again.
    struct JSONOutline {
        struct Member {
            let key: String
            /// The key with its quotes.
            let keyRange: Range<Int>
            let value: Int
        }

        struct Node {
            /// From the first byte of the value to the one after its last.
            var range: Range<Int>
            var members: [Member] = []
            var elements: [Int] = []
            var isObject = false
        }

        /// The values, each object and array before what is in it. The first is the document.
        private(set) var nodes: [Node] = []
        /// For each large object, where its members stand in it.
        private var positions: [Int: [String: Int]] = [:]

        /// Reads a text.
        ///
        /// - Complexity: O(*n*) in the number of bytes; no recursion.
        init(_ bytes: [UInt8]) {
            var scanner = JSONOutlineScanner(bytes)
            nodes = scanner.nodes()
            for (index, node) in nodes.enumerated() where node.members.count > 16 {
                positions[index] = Dictionary(node.members.enumerated().map { ($1.key, $0) }) { first, _ in first }
            }
        }

        /// The value that members and elements lead to; `nil` if there is none.
        func node(at path: some Sequence<String>) -> Node? {
            index(at: path).map { nodes[$0] }
        }

        /// The member that a path ends with.
        func member(at path: [String]) -> Member? {
            guard let name = path.last, let around = index(at: path.dropLast()) else { return nil }
            return member(name, of: around)
        }

        /// The place to show for a path: the last member's key, an element, or the nearest thing around it that exists.
        func offset(of path: [String]) -> Int {
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
#endif
