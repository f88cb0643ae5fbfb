#if CommandLine
    import TacklineTargeting

    /// Lays a JSON text out in one stable way: members by key, two blanks for each level, comments where they belong.
    ///
    /// Numbers and strings stay as they are written. A comment in front of a member goes with it, and so does one behind it
    /// in its line; what stands behind the last member, or in front of or behind the document, stays there.
    struct JSONFormatter {
        private let bytes: [UInt8]
        private let outline: JSONOutline
        private let comments: JSONComments
        /// What fits into so many bytes stays in one line.
        private static let lineLimit = 64

        /// Takes a text that ``FlagJSONReader`` has accepted, comments aside.
        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            comments = JSONComments(bytes)
            outline = JSONOutline(comments.plain)
        }

        /// The text in the stable form, which formatting leaves as it is.
        var formatted: [UInt8] {
            guard let root = outline.nodes.first else { return bytes }
            var lines: [UInt8] = []
            for comment in comments.ranges where comment.upperBound <= root.range.lowerBound {
                lines += text(comment) + [0x0A]
            }
            lines += value(0, indentation: 0)
            var end = root.range.upperBound
            for comment in comments.ranges where comment.lowerBound >= root.range.upperBound {
                lines += isOneLine(end..<comment.lowerBound) ? [0x20] : [0x0A]
                lines += text(comment)
                end = comment.upperBound
            }
            return lines + [0x0A]
        }

        /// A member or an element, with the comments that go with it.
        private struct Child {
            let key: Range<Int>?
            /// For sorting.
            let name: String
            let node: Int
            var before: [Range<Int>] = []
            var behind: [Range<Int>] = []
        }

        // MARK: Writing

        /// Recursion is bounded by the depth that the reader accepts.
        private func value(_ index: Int, indentation: Int) -> [UInt8] {
            let node = outline.nodes[index]
            guard isContainer(node) else { return Array(bytes[node.range]) }
            if index > 0, let line = line(index, limit: Self.lineLimit) { return line }
            let (children, first, last) = parts(of: node)
            let marks: [UInt8] = node.isObject ? Array("{}".utf8) : Array("[]".utf8)
            if children.isEmpty, first.isEmpty, last.isEmpty { return marks }
            let inner = [UInt8](repeating: 0x20, count: indentation + 2)
            var result = [marks[0]]
            for comment in first { result += [0x20] + text(comment) }
            for (position, child) in children.enumerated() {
                for comment in child.before { result += [0x0A] + inner + text(comment) }
                result += [0x0A] + inner
                if let key = child.key { result += bytes[key] + Array(": ".utf8) }
                result += value(child.node, indentation: indentation + 2)
                if position < children.count - 1 { result.append(UInt8(ascii: ",")) }
                for comment in child.behind { result += [0x20] + text(comment) }
            }
            for comment in last { result += [0x0A] + inner + text(comment) }
            return result + [0x0A] + inner.dropLast(2) + [marks[1]]
        }

        /// A value in one line; `nil` if it does not fit, or has comments.
        private func line(_ index: Int, limit: Int) -> [UInt8]? {
            let node = outline.nodes[index]
            guard isContainer(node) else { return node.range.count <= limit ? Array(bytes[node.range]) : nil }
            guard inside(node.range).isEmpty else { return nil }
            var parts: [[UInt8]] = []
            var count = 0
            for child in self.parts(of: node).children {
                guard let line = line(child.node, limit: limit - count) else { return nil }
                let key = child.key.map { Array(bytes[$0]) + Array(": ".utf8) } ?? []
                count += key.count + line.count + 2
                guard count <= limit + 2 else { return nil }
                parts.append(key + line)
            }
            let joined = Array(parts.joined(separator: Array(", ".utf8)))
            if node.isObject, joined.isEmpty { return Array("{}".utf8) }
            let result =
                node.isObject
                ? Array("{ ".utf8) + joined + Array(" }".utf8) : Array("[".utf8) + joined + Array("]".utf8)
            return result.count <= limit ? result : nil
        }

        // MARK: Whose comments they are

        /// The members or elements in their order, the comments in the line that begins, and those behind the last.
        private func parts(of node: JSONOutline.Node) -> (children: [Child], first: [Range<Int>], last: [Range<Int>]) {
            var children =
                node.isObject
                ? node.members.map { Child(key: $0.keyRange, name: $0.key, node: $0.value) }
                : node.elements.map { Child(key: nil, name: "", node: $0) }
            var (first, last): ([Range<Int>], [Range<Int>]) = ([], [])
            var position = 0
            var waiting: [Range<Int>] = []
            for comment in inside(node.range) {
                while position < children.count, end(of: children[position]) <= comment.lowerBound {
                    children[position].before += waiting
                    waiting = []
                    position += 1
                }
                if position < children.count, outline.nodes[children[position].node].range.contains(comment.lowerBound)
                {
                    continue
                }
                if position > 0, isOneLine(end(of: children[position - 1])..<comment.lowerBound),
                    position == children.count || start(of: children[position]) > comment.lowerBound
                {
                    children[position - 1].behind.append(comment)
                } else if position == 0, waiting.isEmpty, isOneLine(node.range.lowerBound..<comment.lowerBound),
                    children.first.map({ start(of: $0) > comment.lowerBound }) ?? true
                {
                    first.append(comment)
                } else if position == children.count {
                    last.append(comment)
                } else {
                    waiting.append(comment)
                }
            }
            if position < children.count { children[position].before += waiting }
            if node.isObject {
                children.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
            }
            return (children, first, last)
        }

        private func inside(_ range: Range<Int>) -> ArraySlice<Range<Int>> {
            let start = comments.ranges.partitioningIndex { $0.lowerBound >= range.lowerBound }
            return comments.ranges[start...].prefix { $0.upperBound <= range.upperBound }
        }

        private func start(of child: Child) -> Int {
            child.key?.lowerBound ?? outline.nodes[child.node].range.lowerBound
        }

        private func end(of child: Child) -> Int { outline.nodes[child.node].range.upperBound }

        private func isContainer(_ node: JSONOutline.Node) -> Bool {
            node.isObject || bytes[node.range.lowerBound] == UInt8(ascii: "[")
        }

        /// Whether no line ends in a part of the text, a comment in it included.
        private func isOneLine(_ range: Range<Int>) -> Bool { !bytes[range].contains { $0 == 0x0A || $0 == 0x0D } }

        private func text(_ comment: Range<Int>) -> [UInt8] {
            var text = Array(bytes[comment])
            while text.last == 0x20 || text.last == 0x09 { text.removeLast() }
            return text
        }
    }

    extension Array {
        /// The first place from which on a claim holds, by halves.
        fileprivate func partitioningIndex(where belongs: (Element) -> Bool) -> Int {
            var (low, high) = (0, count)
            while low < high {
                let middle = (low + high) / 2
                if belongs(self[middle]) { high = middle } else { low = middle + 1 }
            }
            return low
        }
    }
#endif
