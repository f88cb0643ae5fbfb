package import TacklineCore
import TacklineFiles

/// An editor for JSON text that leaves the layout of everything else as it is.
package struct FlagJSONEdit {
    /// The text with all edits.
    package private(set) var result: [UInt8]
    private var outline: FlagJSONOutline

    /// Creates an editor for a text that ``FlagJSONReader`` accepts.
    package init(_ bytes: [UInt8]) {
        result = bytes
        outline = FlagJSONOutline(bytes)
    }

    /// Replaces a value, or adds a member to the enclosing object.
    ///
    /// - Returns: `false`, with nothing changed, if there is no enclosing object.
    package mutating func set(_ value: EncodedFlagValue, at path: [String]) throws(FlagValueError) -> Bool {
        if let node = outline.node(at: path) {
            let indentation = indentation(at: node.range.lowerBound)
            let isInline = result[node.range].contains(UInt8(ascii: "{")) && !result[node.range].contains(0x0A)
            replace(
                node.range, with: try FlagJSONFormatter.text(of: value, indentation: indentation, isInline: isInline))
            return true
        }
        guard let name = path.last, let around = outline.node(at: path.dropLast()), around.isObject else {
            return false
        }
        let key = try FlagJSONWriter(layout: .compact).bytes(of: .string(name))
        if let last = around.members.last {
            let end = last.value.range
            // The new member repeats the blanks before the last key and around its colon.
            var start = last.keyRange.lowerBound
            while start > 0, FlagJSONEdit.isBlank(result[start - 1]) { start -= 1 }
            let lead = result[start..<last.keyRange.lowerBound]
            let colon = result[last.keyRange.upperBound..<end.lowerBound].filter { $0 != 0x0A && $0 != 0x0D }
            let written = try FlagJSONFormatter.text(
                of: value, indentation: indentation(at: last.keyRange.lowerBound),
                isInline: !result[around.range].contains(0x0A))
            replace(end.upperBound..<end.upperBound, with: [UInt8(ascii: ",")] + lead + key + colon + written)
        } else {
            let outer = indentation(at: around.range.lowerBound)
            let inner = outer + [0x20, 0x20]
            let written = try FlagJSONFormatter.text(of: value, indentation: inner, isInline: false)
            replace(
                (around.range.lowerBound + 1)..<(around.range.upperBound - 1),
                with: [0x0A] + inner + key + Array(": ".utf8) + written + [0x0A] + outer)
        }
        return true
    }

    /// Removes a member with its comma. Does nothing if there is no such member.
    package mutating func removeMember(at path: [String]) {
        guard let around = outline.node(at: path.dropLast()), let name = path.last,
            let position = around.members.firstIndex(where: { $0.key == name })
        else { return }
        let member = around.members[position]
        if position > 0 {
            let before = around.members[position - 1].value.range.upperBound
            replace(before..<member.value.range.upperBound, with: [])
        } else if around.members.count > 1 {
            replace(member.keyRange.lowerBound..<around.members[1].keyRange.lowerBound, with: [])
        } else {
            replace(around.range, with: Array("{}".utf8))
        }
    }

    private mutating func replace(_ range: Range<Int>, with new: [UInt8]) {
        result.replaceSubrange(range, with: new)
        outline = FlagJSONOutline(result)
    }

    /// Returns the blanks at the start of the line.
    private func indentation(at offset: Int) -> [UInt8] {
        let lineStart = result[..<offset].lastIndex { $0 == 0x0A || $0 == 0x0D }.map { $0 + 1 } ?? 0
        return Array(result[lineStart..<offset].prefix { $0 == 0x20 || $0 == 0x09 })
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}
