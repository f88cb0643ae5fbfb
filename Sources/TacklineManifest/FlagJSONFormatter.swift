package import TacklineCore
import TacklineFiles

/// A formatter that gives a JSON text one stable layout: members sorted by key, and two blanks for each level.
///
/// Numbers and strings keep their spelling. Blank lines divide an object into sections. The sections keep their
/// order, and members are sorted within each. A comment in front of a member moves with it, and so does one after
/// it in its line. A comment between blank lines keeps its place, and so does one after the last member or outside
/// the root value.
package struct FlagJSONFormatter {
    private let bytes: [UInt8]
    private let outline: FlagJSONOutline
    /// The text with blanks in place of its comments.
    private let plain: [UInt8]
    /// The number of bytes up to which a value stays in one line.
    private static let lineLimit = 64

    /// Creates a formatter for a text that, without its comments, ``FlagJSONReader`` accepts.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        outline = FlagJSONOutline(bytes)
        plain = outline.withoutComments(bytes)
    }

    /// The text in the stable form. Formatting it again changes nothing.
    package var formatted: [UInt8] {
        guard let root = outline.nodes.first else { return bytes }
        var lines: [UInt8] = []
        let head = outline.comments.prefix { $0.upperBound <= root.range.lowerBound }
        for (comment, next) in zip(head, head.dropFirst().map(\.lowerBound) + [root.range.lowerBound]) {
            lines += text(comment) + [0x0A] + (hasBlankLine(comment.upperBound..<next) ? [0x0A] : [])
        }
        lines += value(0, indentation: [])
        var end = root.range.upperBound
        for comment in outline.comments where comment.lowerBound >= root.range.upperBound {
            if hasBlankLine(end..<comment.lowerBound) { lines.append(0x0A) }
            lines += isOneLine(end..<comment.lowerBound) ? [0x20] : [0x0A]
            lines += text(comment)
            end = comment.upperBound
        }
        return lines + [0x0A]
    }

    /// A member or an element, with the comments that move with it.
    private struct Child {
        let key: Range<Int>?
        /// The key for sorting; empty for an element.
        let name: String
        let node: Int
        var before: [Range<Int>] = []
        var behind: [Range<Int>] = []
        /// The number of the section, counted from 0.
        var section = 0
    }

    /// The contents of an object or an array.
    private struct Parts {
        var children: [Child]
        /// The comments after the opening bracket, in its line.
        var first: [Range<Int>] = []
        /// The comments after the last child.
        var last: [Range<Int>] = []
        /// The comments at the start of a section that a blank line separates from its first member, by section.
        var headings: [Int: [[Range<Int>]]] = [:]
    }

    // MARK: Writing

    /// Returns a value as a person would lay it out who adds it to a file.
    ///
    /// - Parameters:
    ///   - indentation: The indentation of the line that the value continues.
    ///   - isInline: Whether everything goes into one line, as the text around it does.
    /// - Throws: ``FlagValueError`` for a value that JSON can't hold. Rules may be deeper than values.
    package static func text(
        of value: EncodedFlagValue, indentation: [UInt8], isInline: Bool
    ) throws(FlagValueError) -> [UInt8] {
        var writer = FlagJSONWriter(layout: .compact)
        // Rules are deeper than values, and their own reader limits them.
        writer.maximumDepth = .max
        let formatter = FlagJSONFormatter(try writer.bytes(of: value))
        return formatter.line(0, limit: isInline ? .max >> 1 : lineLimit)
            ?? formatter.value(0, indentation: indentation)
    }

    /// Recursion is bounded by the depth that the reader accepts.
    private func value(_ index: Int, indentation: [UInt8]) -> [UInt8] {
        let node = outline.nodes[index]
        guard isContainer(node) else { return Array(bytes[node.range]) }
        let parts = parts(of: node)
        let children = parts.children
        let marks: [UInt8] = node.isObject ? Array("{}".utf8) : Array("[]".utf8)
        if children.isEmpty, parts.first.isEmpty, parts.last.isEmpty { return marks }
        let inner = indentation + [0x20, 0x20]
        var result = [marks[0]]
        for comment in parts.first { result += [0x20] + text(comment) }
        for (position, child) in children.enumerated() {
            if position == 0 || child.section != children[position - 1].section {
                if position > 0 { result.append(0x0A) }
                for heading in parts.headings[child.section] ?? [] {
                    for comment in heading { result += [0x0A] + inner + text(comment) }
                    result.append(0x0A)
                }
            }
            for comment in child.before { result += [0x0A] + inner + text(comment) }
            result += [0x0A] + inner
            if let key = child.key { result += bytes[key] + Array(": ".utf8) }
            result += line(child.node) ?? value(child.node, indentation: inner)
            if position < children.count - 1 { result.append(UInt8(ascii: ",")) }
            for comment in child.behind { result += [0x20] + text(comment) }
        }
        for (position, comment) in parts.last.enumerated() {
            if position > 0 || !children.isEmpty, followsBlankLine(comment.lowerBound) { result.append(0x0A) }
            result += [0x0A] + inner + text(comment)
        }
        return result + [0x0A] + indentation + [marks[1]]
    }

    /// A value in one line; `nil` if it does not fit, or has comments.
    private func line(_ index: Int, limit: Int = lineLimit) -> [UInt8]? {
        let node = outline.nodes[index]
        guard isContainer(node) else { return node.range.count <= limit ? Array(bytes[node.range]) : nil }
        guard inside(node.range).isEmpty else { return nil }
        var parts: [[UInt8]] = []
        var count = 0
        for child in self.parts(of: node).children {
            guard child.section == 0 else { return nil }
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

    // MARK: Assigning comments

    /// The members or elements in the order in which they are written, with the comments around them.
    private func parts(of node: FlagJSONOutline.Node) -> Parts {
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
            if position < children.count, outline.nodes[children[position].node].range.contains(comment.lowerBound) {
                continue
            }
            if position < children.count, introduces(children[position], comment) {
                waiting.append(comment)
            } else if position > 0, isOneLine(end(of: children[position - 1])..<comment.lowerBound),
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
        let headings = divide(&children)
        if node.isObject {
            children.sort {
                $0.section == $1.section
                    ? $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) : $0.section < $1.section
            }
        }
        return Parts(children: children, first: first, last: last, headings: headings)
    }

    /// Returns whether a comment directly precedes a member in its line, after the previous comma or the bracket.
    private func introduces(_ child: Child, _ comment: Range<Int>) -> Bool {
        guard comment.upperBound <= start(of: child), isOneLine(comment.upperBound..<start(of: child)) else {
            return false
        }
        let previous = plain[..<comment.lowerBound].last { !FlagJSONFormatter.isBlank($0) }
        return previous.map { ",{[".utf8.contains($0) } ?? false
    }

    /// Numbers the sections, and returns the comments that a blank line separates from their members.
    private func divide(_ children: inout [Child]) -> [Int: [[Range<Int>]]] {
        var headings: [Int: [[Range<Int>]]] = [:]
        var section = 0
        for index in children.indices {
            let start = start(of: children[index])
            let isInFront = { (comment: Range<Int>) in comment.lowerBound < start }
            var paragraphs: [[Range<Int>]] = []
            var current: [Range<Int>] = []
            var isDivided = false
            for place in children[index].before.filter(isInFront) + [start..<start] {
                if followsBlankLine(place.lowerBound) {
                    isDivided = true
                    if !current.isEmpty { paragraphs.append(current) }
                    current = []
                }
                if !place.isEmpty { current.append(place) }
            }
            if isDivided, index > 0 { section += 1 }
            children[index].section = section
            children[index].before = current + children[index].before.filter { !isInFront($0) }
            if !paragraphs.isEmpty { headings[section] = paragraphs }
        }
        return headings
    }

    private func inside(_ range: Range<Int>) -> ArraySlice<Range<Int>> {
        let start = outline.comments.partitioningIndex { $0.lowerBound >= range.lowerBound }
        return outline.comments[start...].prefix { $0.upperBound <= range.upperBound }
    }

    private func start(of child: Child) -> Int {
        child.key?.lowerBound ?? outline.nodes[child.node].range.lowerBound
    }

    private func end(of child: Child) -> Int { outline.nodes[child.node].range.upperBound }

    private func isContainer(_ node: FlagJSONOutline.Node) -> Bool {
        node.isObject || bytes[node.range.lowerBound] == UInt8(ascii: "[")
    }

    /// Returns whether a part of the text contains no line end.
    private func isOneLine(_ range: Range<Int>) -> Bool { !bytes[range].contains { $0 == 0x0A || $0 == 0x0D } }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    /// Returns whether a blank line directly precedes the line of a place.
    private func followsBlankLine(_ place: Int) -> Bool {
        let start = bytes[..<place].lastIndex { !FlagJSONFormatter.isBlank($0) }.map { $0 + 1 } ?? 0
        return hasBlankLine(start..<place)
    }

    /// Returns whether a part of the text contains a blank line.
    private func hasBlankLine(_ range: Range<Int>) -> Bool {
        var hasEnded = false
        for byte in bytes[range] where byte != 0x20 && byte != 0x09 && byte != 0x0D {
            if byte == 0x0A, hasEnded { return true }
            hasEnded = byte == 0x0A
        }
        return false
    }

    private func text(_ comment: Range<Int>) -> [UInt8] {
        var text = Array(bytes[comment])
        while text.last == 0x20 || text.last == 0x09 { text.removeLast() }
        return text
    }
}

extension [UInt8] {
    /// Whether the first line ends with CR LF.
    package var endsLinesWithCRLF: Bool {
        guard let end = firstIndex(of: 0x0A), end > 0 else { return false }
        return self[end - 1] == 0x0D
    }

    /// The text with CR LF at the end of each line. Strings of JSON contain no line ends.
    package var withCRLF: [UInt8] {
        var text: [UInt8] = []
        for (index, byte) in enumerated() {
            if byte == 0x0A, index == 0 || self[index - 1] != 0x0D { text.append(0x0D) }
            text.append(byte)
        }
        return text
    }
}

extension Array {
    /// Returns the first index from which `belongs` is true for every element, by binary search.
    fileprivate func partitioningIndex(where belongs: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if belongs(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
