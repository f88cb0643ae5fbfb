package import TacklineCore
import TacklineFiles

/// An editor for JSON text that leaves the layout and the comments of everything else as they are.
package struct FlagJSONEdit {
    private var bytes: [UInt8]
    private var outline: FlagJSONOutline
    /// The text with blanks in place of its comments.
    private var plain: [UInt8]
    private let endsLinesWithCRLF: Bool

    /// Creates an editor for a text that, without its comments, ``FlagJSONReader`` accepts.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        outline = FlagJSONOutline(bytes)
        plain = outline.withoutComments(bytes)
        endsLinesWithCRLF = bytes.endsLinesWithCRLF
    }

    package var result: [UInt8] { endsLinesWithCRLF ? bytes.withCRLF : bytes }
    /// The result with blanks in place of its comments.
    package var plainResult: [UInt8] { plain }

    /// Replaces a value, or adds a member to the enclosing object.
    ///
    /// - Returns: `false`, with nothing changed, if there is no enclosing object or if comments would be lost.
    package mutating func set(_ value: EncodedFlagValue, at path: [String]) throws(FlagValueError) -> Bool {
        if let node = outline.node(at: path) {
            guard !hasComments(node.range) else { return false }
            let indentation = indentation(at: node.range.lowerBound)
            let isInline = bytes[node.range].contains(UInt8(ascii: "{")) && !bytes[node.range].contains(0x0A)
            replace(
                node.range, with: try FlagJSONFormatter.text(of: value, indentation: indentation, isInline: isInline))
            return true
        }
        guard let name = path.last, let around = outline.node(at: path.dropLast()), around.isObject else {
            return false
        }
        let key = try FlagJSONWriter(layout: .compact).bytes(of: .string(name))
        if let last = around.members.last {
            let previousEnd = outline.nodes[last.value].range.upperBound
            // A comment after the last value, in its line, stays with that value.
            let place = endOfLineComments(from: previousEnd, to: around.range.upperBound - 1)
            // The new member repeats the blanks before the last key and around its colon.
            var start = last.keyRange.lowerBound
            while start > 0, FlagJSONEdit.isBlank(bytes[start - 1]) { start -= 1 }
            var lead = Array(bytes[start..<last.keyRange.lowerBound])
            let isBehindLineComment = outline.comments.contains {
                $0.upperBound == place && bytes[$0.lowerBound + 1] == UInt8(ascii: "/")
            }
            if isBehindLineComment, !lead.contains(0x0A) {
                lead = [0x0A] + indentation(at: last.keyRange.lowerBound)
            }
            let colon = Array(plain[last.keyRange.upperBound..<outline.nodes[last.value].range.lowerBound])
                .filter { $0 != 0x0A && $0 != 0x0D }
            let written = try FlagJSONFormatter.text(
                of: value, indentation: indentation(at: last.keyRange.lowerBound),
                isInline: !bytes[around.range].contains(0x0A))
            replace(place..<place, with: lead + key + colon + written)
            replace(previousEnd..<previousEnd, with: [UInt8(ascii: ",")])
        } else {
            let outer = indentation(at: around.range.lowerBound)
            let inner = outer + [0x20, 0x20]
            let written = try FlagJSONFormatter.text(of: value, indentation: inner, isInline: false)
            // Comments that stand alone in the object stay in front of the value.
            let start =
                outline.comments.last { $0.overlaps(around.range) }?.upperBound ?? around.range.lowerBound + 1
            replace(
                start..<(around.range.upperBound - 1),
                with: [0x0A] + inner + key + Array(": ".utf8) + written + [0x0A] + outer)
        }
        return true
    }

    /// Removes a member with its comma. Does nothing if there is no such member.
    ///
    /// - Returns: `false`, with nothing changed, if comments inside the member would be lost.
    package mutating func removeMember(at path: [String]) -> Bool {
        guard let around = outline.node(at: path.dropLast()), let name = path.last,
            let position = around.members.firstIndex(where: { $0.key == name })
        else { return true }
        let member = around.members[position]
        let end = outline.nodes[member.value].range.upperBound
        guard !hasComments(member.keyRange.lowerBound..<end) else { return false }
        if hasComments(around.range) {
            removeBetweenComments(member.keyRange.lowerBound..<end, in: around.range)
        } else if position > 0 {
            replace(outline.nodes[around.members[position - 1].value].range.upperBound..<end, with: [])
        } else if around.members.count > 1 {
            replace(member.keyRange.lowerBound..<around.members[1].keyRange.lowerBound, with: [])
        } else {
            replace(around.range, with: Array("{}".utf8))
        }
        return true
    }

    /// Removes a member, one comma and, if nothing else is in it, the line, and keeps every comment.
    private mutating func removeBetweenComments(_ range: Range<Int>, in around: Range<Int>) {
        let comma = UInt8(ascii: ",")
        var before = range.lowerBound - 1
        while before > around.lowerBound, FlagJSONEdit.isBlank(plain[before]) { before -= 1 }
        var after = range.upperBound
        while after < around.upperBound - 1, FlagJSONEdit.isBlank(plain[after]) { after += 1 }
        var range = range
        if plain[after] == comma, !hasComments(range.upperBound..<after) {
            range = range.lowerBound..<(after + 1)
        } else if plain[after] == comma {
            replace(after..<(after + 1), with: [])
        } else if plain[before] == comma {
            replace(before..<(before + 1), with: [])
            range = (range.lowerBound - 1)..<(range.upperBound - 1)
        }
        var (start, end) = (range.lowerBound, range.upperBound)
        while start > 0, bytes[start - 1] == 0x20 || bytes[start - 1] == 0x09 { start -= 1 }
        while end < bytes.count, bytes[end] == 0x20 || bytes[end] == 0x09 { end += 1 }
        let beginsLine = start > 0 && bytes[start - 1] == 0x0A
        if beginsLine, end < bytes.count, bytes[end] == 0x0A {
            range = start..<(end + 1)
        } else if beginsLine {
            // The comment behind the member takes its place.
            range = range.lowerBound..<end
        }
        replace(range, with: [])
    }

    private func hasComments(_ range: Range<Int>) -> Bool { outline.comments.contains { $0.overlaps(range) } }

    /// Returns the place after a value, and after the comments in its line, at which a member can be added.
    private func endOfLineComments(from start: Int, to limit: Int) -> Int {
        var end = start
        for comment in outline.comments where comment.lowerBound >= end {
            guard comment.upperBound <= limit,
                bytes[end..<comment.lowerBound].allSatisfy({ $0 == 0x20 || $0 == 0x09 })
            else { break }
            end = comment.upperBound
        }
        return end
    }

    private mutating func replace(_ range: Range<Int>, with new: [UInt8]) {
        bytes.replaceSubrange(range, with: new)
        outline = FlagJSONOutline(bytes)
        plain = outline.withoutComments(bytes)
    }

    /// Returns the blanks at the start of the line.
    private func indentation(at offset: Int) -> [UInt8] {
        let lineStart = bytes[..<offset].lastIndex { $0 == 0x0A || $0 == 0x0D }.map { $0 + 1 } ?? 0
        return Array(bytes[lineStart..<offset].prefix { $0 == 0x20 || $0 == 0x09 })
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}
