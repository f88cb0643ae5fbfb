package import TacklineCore
import TacklineFiles

/// An edit of a JSON text that leaves the layout of everything else as it is.
package struct FlagJSONEdit {
    private var text: [UInt8]
    private var outline: FlagJSONOutline

    private init(_ text: [UInt8]) { (self.text, outline) = (text, FlagJSONOutline(text)) }

    /// Returns a text with the changes that lead from its value to another one; `nil` if the edited text would not hold
    /// that value.
    ///
    /// - Parameters:
    ///   - text: A text that ``FlagJSONReader`` accepts.
    ///   - old: The members of the object that the text holds.
    ///   - new: The members that it is to hold.
    /// - Throws: ``FlagValueError`` for a value that JSON can't hold.
    package static func text(
        _ text: [UInt8], from old: [String: EncodedFlagValue], to new: [String: EncodedFlagValue]
    ) throws(FlagValueError) -> [UInt8]? {
        var edit = FlagJSONEdit(text)
        try edit.change(.object(old), to: .object(new), at: [])
        // Rules may be deeper than values.
        let reader = FlagJSONReader(maximumDepth: .max)
        return (try? reader.read(edit.text)) == .object(new) ? edit.text : nil
    }

    /// Recursion is bounded by the depth of the values, which a reader has limited.
    private mutating func change(
        _ old: EncodedFlagValue, to new: EncodedFlagValue, at path: [String]
    ) throws(FlagValueError) {
        switch (old, new) {
        case (.object(let old), .object(let new)):
            for name in old.keys.sorted() where new[name] == nil { removeMember(name, at: path) }
            for (name, value) in new.sorted(by: { $0.key < $1.key }) where old[name] != value {
                if let before = old[name] {
                    try change(before, to: value, at: path + [name])
                } else {
                    try addMember(name, value, at: path)
                }
            }
        case (.array(let old), .array(let new)) where old.count == new.count:
            for (position, value) in new.enumerated() where old[position] != value {
                try change(old[position], to: value, at: path + [String(position)])
            }
        default:
            guard let node = outline.node(at: path), let around = outline.node(at: path.dropLast()) else { return }
            replace(node.range, with: try written(new, at: node.range.lowerBound, in: around))
        }
    }

    /// Adds a member behind the last one, and repeats the blanks before the last key and around its colon.
    private mutating func addMember(
        _ name: String, _ value: EncodedFlagValue, at path: [String]
    ) throws(FlagValueError) {
        guard let around = outline.node(at: path) else { return }
        guard let last = around.members.last else {
            return replace(around.range, with: try written(.object([name: value]), at: around.range.lowerBound))
        }
        let key = try FlagJSONWriter(layout: .compact).bytes(of: .string(name))
        let end = last.range
        var start = last.keyRange.lowerBound
        while start > 0, [0x20, 0x09, 0x0A, 0x0D].contains(text[start - 1]) { start -= 1 }
        let lead = text[start..<last.keyRange.lowerBound]
        let colon = text[last.keyRange.upperBound..<end.lowerBound].filter { $0 != 0x0A && $0 != 0x0D }
        let value = try written(value, at: last.keyRange.lowerBound, in: around)
        replace(end.upperBound..<end.upperBound, with: [UInt8(ascii: ",")] + lead + key + colon + value)
    }

    /// Removes a member with its comma.
    private mutating func removeMember(_ name: String, at path: [String]) {
        guard let around = outline.node(at: path),
            let position = around.members.firstIndex(where: { $0.key == name })
        else { return }
        let (members, member) = (around.members, around.members[position])
        let range =
            position > 0
            ? members[position - 1].range.upperBound..<member.range.upperBound
            : members.count > 1
                ? member.keyRange.lowerBound..<members[1].keyRange.lowerBound
                : (around.range.lowerBound + 1)..<(around.range.upperBound - 1)
        replace(range, with: [])
    }

    private mutating func replace(_ range: Range<Int>, with new: [UInt8]) {
        text.replaceSubrange(range, with: new)
        outline = FlagJSONOutline(text)
    }

    /// Returns a value in one line if it is short or the object around it is inline, and otherwise with a line for each
    /// member, with the blanks at the start of the line at an offset.
    private func written(
        _ value: EncodedFlagValue, at offset: Int, in around: FlagJSONOutline? = nil
    ) throws(FlagValueError) -> [UInt8] {
        let lines = try FlagJSONWriter(layout: .pretty).bytes(of: value).split(separator: 0x0A)
        let line = lines.reduce(into: [UInt8]()) { line, next in
            let part = next.drop { $0 == 0x20 }
            if let last = line.last, last != UInt8(ascii: "["), part.first != UInt8(ascii: "]") { line.append(0x20) }
            line += part
        }
        let isInline = around.map { !text[$0.range].contains(0x0A) } ?? false
        if isInline || line.count <= 64 { return line }
        let start = text[..<offset].lastIndex { $0 == 0x0A || $0 == 0x0D }.map { $0 + 1 } ?? 0
        let indentation = text[start..<offset].prefix { $0 == 0x20 || $0 == 0x09 }
        return Array(lines.joined(separator: [0x0A] + indentation))
    }
}
