#if CommandLine
    import TacklineCore
    import TacklineFormats
    import TacklineTargeting

    /// Changes a JSON text here and there and leaves the rest as its author laid it out.
    struct JSONEdit {
        private var bytes: [UInt8]
        private var outline: JSONOutline

        /// Takes a text that ``FlagJSONReader`` has accepted.
        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            outline = JSONOutline(bytes)
        }

        var result: [UInt8] { bytes }

        /// Replaces a value, or adds a member to the object around it.
        ///
        /// - Returns: `false`, with nothing changed, if there is no such object.
        mutating func set(_ value: EncodedFlagValue, at path: [String]) throws(FlagValueError) -> Bool {
            if let node = outline.node(at: path) {
                let indentation = indentation(at: node.range.lowerBound)
                let isInline = bytes[node.range].contains(UInt8(ascii: "{")) && !bytes[node.range].contains(0x0A)
                replace(
                    node.range, with: try JSONLayout.text(of: value, indentation: indentation, isInline: isInline))
                return true
            }
            guard let name = path.last, let around = outline.node(at: path.dropLast()), around.isObject else {
                return false
            }
            let key = try FlagJSONWriter(layout: .compact).bytes(of: .string(name))
            if let last = around.members.last {
                let previousEnd = outline.nodes[last.value].range.upperBound
                // The blanks before the last key and around its colon are taken over.
                var start = last.keyRange.lowerBound
                while start > 0, JSONEdit.isBlank(bytes[start - 1]) { start -= 1 }
                let lead = Array(bytes[start..<last.keyRange.lowerBound])
                let colon = Array(bytes[last.keyRange.upperBound..<outline.nodes[last.value].range.lowerBound])
                let written = try JSONLayout.text(
                    of: value, indentation: indentation(at: last.keyRange.lowerBound),
                    isInline: !bytes[around.range].contains(0x0A))
                replace(previousEnd..<previousEnd, with: [UInt8(ascii: ",")] + lead + key + colon + written)
            } else {
                let outer = indentation(at: around.range.lowerBound)
                let inner = outer + [0x20, 0x20]
                let written = try JSONLayout.text(of: value, indentation: inner, isInline: false)
                replace(
                    around.range,
                    with: Array("{\n".utf8) + inner + key + Array(": ".utf8) + written + [0x0A] + outer + [
                        UInt8(ascii: "}")
                    ])
            }
            return true
        }

        /// Removes a member with its comma; does nothing if there is none.
        mutating func removeMember(at path: [String]) {
            guard let around = outline.node(at: path.dropLast()), let name = path.last,
                let position = around.members.firstIndex(where: { $0.key == name })
            else { return }
            let member = around.members[position]
            let end = outline.nodes[member.value].range.upperBound
            if position > 0 {
                replace(outline.nodes[around.members[position - 1].value].range.upperBound..<end, with: [])
            } else if around.members.count > 1 {
                replace(member.keyRange.lowerBound..<around.members[1].keyRange.lowerBound, with: [])
            } else {
                replace(around.range, with: Array("{}".utf8))
            }
        }

        private mutating func replace(_ range: Range<Int>, with new: [UInt8]) {
            bytes.replaceSubrange(range, with: new)
            outline = JSONOutline(bytes)
        }

        /// The blanks at the start of a line.
        private func indentation(at offset: Int) -> [UInt8] {
            let lineStart = bytes[..<offset].lastIndex { $0 == 0x0A || $0 == 0x0D }.map { $0 + 1 } ?? 0
            return Array(bytes[lineStart..<offset].prefix { $0 == 0x20 || $0 == 0x09 })
        }

        private static func isBlank(_ byte: UInt8) -> Bool {
            byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
        }
    }
#endif
