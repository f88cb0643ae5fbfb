/// Flags by their keys: a tree with a level for each component.
///
/// Components are found by a simple hash of their bytes (FNV-1a). The hash of a dictionary withstands keys that were
/// made to collide, but takes several times as long. The tree holds only the app's own keys; a key from a server is
/// only looked up.
package struct FlagKeyTree: Sendable {
    private struct Node: Sendable {
        var parent = 0
        /// The name that leads here from the parent.
        var component = ""
        /// The first flag whose key ends here, or `nil` if there is none.
        var ordinal: Int?
        /// Further flags whose key ends here, by mistake.
        var duplicates: [Int] = []
        /// The child that was added last, and the sibling that was added before this node; 0 if there is none.
        var child = 0
        var sibling = 0
    }

    private let separator: String
    /// The root is the first node.
    private var nodes = [Node()]
    /// A hash table with open addressing: the numbers of all nodes but the root, and 0 in free places.
    private var places: [Int]
    /// The flags whose components contain the separator, by their texts, which look like the keys of others.
    private var ambiguous: [String: [Int]] = [:]

    /// - Parameter capacity: The number of flags and collections for which the tree has room without growing.
    package init(separator: String, capacity: Int) {
        self.separator = separator
        var count = 32
        while count < 2 * capacity + 4 { count *= 2 }
        places = [Int](repeating: 0, count: count)
        nodes.reserveCapacity(capacity + 1)
    }

    /// Returns the node at a path, and adds it if it is missing.
    @inline(never) package mutating func node(at path: [String]) -> Int {
        var node = 0
        for component in path { node = self.node(component, below: node) }
        return node
    }

    /// Returns the child of a node, and adds it if it is missing.
    package mutating func node(_ component: String, below parent: Int) -> Int {
        let place = place(of: component, below: parent)
        guard places[place] == 0 else { return places[place] }
        let node = nodes.count
        nodes.append(Node(parent: parent, component: component, sibling: nodes[parent].child))
        nodes[parent].child = node
        places[place] = node
        if nodes.count > places.count / 2 {
            places = [Int](repeating: 0, count: 2 * places.count)
            for node in 1...node { places[self.place(of: nodes[node].component, below: nodes[node].parent)] = node }
        }
        return node
    }

    private func existingNode(_ component: String, below parent: Int) -> Int? {
        let node = places[place(of: component, below: parent)]
        return node == 0 ? nil : node
    }

    /// Returns the place of a node in the hash table, or the free place for it.
    private func place(of component: String, below parent: Int) -> Int {
        var hash = 0xCBF2_9CE4_8422_2325 ^ UInt64(parent)
        var text = component
        text.withUTF8 { for byte in $0 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 } }
        // The search ends because at least half of the places are free.
        var place = Int(truncatingIfNeeded: hash ^ hash >> 32) & (places.count - 1)
        while places[place] != 0 {
            let node = places[place]
            if nodes[node].parent == parent, nodes[node].component == component { break }
            place = (place + 1) & (places.count - 1)
        }
        return place
    }

    /// Adds a flag.
    ///
    /// - Returns: The flag that already has the same key, or the same text of a key; `nil` if there is none.
    package mutating func add(_ ordinal: Int, _ key: FlagKeyPath, at node: Int) -> Int? {
        let isAmbiguous = separator.isEmpty || key.components.contains { $0.contains(separator) }
        let first =
            isAmbiguous || !ambiguous.isEmpty
            ? ordinals(forText: key.text).min() ?? nodes[node].ordinal : nodes[node].ordinal
        if nodes[node].ordinal == nil { nodes[node].ordinal = ordinal } else { nodes[node].duplicates.append(ordinal) }
        if isAmbiguous { ambiguous[key.text, default: []].append(ordinal) }
        return first
    }

    /// Calls `body` with each flag whose key begins with the key of another flag, and with the nearest such flag.
    package func forEachOverlap(_ body: (_ outer: Int, _ inner: Int) -> Void) {
        // Usually no node of a flag has children, which is quicker to see than what is above each node.
        guard nodes.contains(where: { $0.child != 0 && $0.ordinal != nil }) else { return }
        // A parent comes before its children. The nearest flag above each node, or -1.
        var above = [Int](repeating: -1, count: nodes.count)
        for node in nodes.indices.dropFirst() {
            let parent = nodes[node].parent
            above[node] = nodes[parent].ordinal ?? above[parent]
            if above[node] >= 0, let ordinal = nodes[node].ordinal { body(above[node], ordinal) }
        }
    }

    /// Returns the flag whose key begins with `key`, or with which `key` begins, and that is nearest to it; `nil` if
    /// there is none. A flag with the same key doesn't count.
    package func ordinal(overlapping key: FlagKeyPath) -> Int? {
        var (node, above) = (0, Int?.none)
        for component in key.components {
            above = nodes[node].ordinal ?? above
            guard let child = existingNode(component, below: node) else { return above }
            node = child
        }
        var below: Int?
        forEachOrdinal(below: node) { below = min($0, below ?? $0) }
        return above ?? below
    }

    /// Returns the first flag whose key has the given text, or `nil` if there is none.
    package func ordinal(forText text: String) -> Int? { ordinals(forText: text).min() }

    @inline(never) private func ordinals(forText text: String) -> [Int] {
        let others = ambiguous.isEmpty ? [] : ambiguous[text] ?? []
        var node = 0
        for component in FlagKeyPath(text, separator: separator).components {
            guard let child = existingNode(component, below: node) else { return others }
            node = child
        }
        return (nodes[node].ordinal.map { [$0] } ?? []) + nodes[node].duplicates + others
    }

    /// Calls `body` with the flags at a key, at the keys that it begins with, and if `andBelow` is `true` at the keys
    /// that begin with it. A flag may be passed twice.
    package func forEachOrdinal(affectedBy key: FlagKeyPath, andBelow: Bool, _ body: (Int) -> Void) {
        var last: Int? = 0
        for component in key.components {
            last = last.flatMap { existingNode(component, below: $0) }
            guard let node = last else { break }
            forEachOrdinal(at: node, body)
        }
        if andBelow, let last { forEachOrdinal(below: last, body) }
        // The key may be a flat one that was split at its provider's separator.
        if key.separator != separator || !ambiguous.isEmpty { ordinals(forText: key.text).forEach(body) }
        if let first = key.components.first, first.contains(separator) {
            ordinals(forText: first).forEach(body)
        }
    }

    private func forEachOrdinal(at node: Int, _ body: (Int) -> Void) {
        guard let ordinal = nodes[node].ordinal else { return }
        body(ordinal)
        nodes[node].duplicates.forEach(body)
    }

    private func forEachOrdinal(below node: Int, _ body: (Int) -> Void) {
        var waiting = [nodes[node].child]
        while let next = waiting.popLast() {
            guard next != 0 else { continue }
            forEachOrdinal(at: next, body)
            waiting += [nodes[next].sibling, nodes[next].child]
        }
    }
}
