#if CommandLine
    import TacklineCore
    import TacklineFormats

    /// Lays a value out as a person would who adds it to a file.
    enum JSONLayout {
        /// What fits into so many bytes stays in one line.
        private static let lineLimit = 64

        /// A value that continues at an indentation.
        ///
        /// - Parameter isInline: Whether everything goes into one line, as what is around it does.
        static func text(
            of value: EncodedFlagValue, indentation: [UInt8], isInline: Bool
        ) throws(FlagValueError) -> [UInt8] {
            // What JSON cannot hold is refused here, so that the rest need not look. Rules may be deeper than values.
            var writer = FlagJSONWriter(layout: .compact)
            writer.maximumDepth = FlagFile.definitionsDepth
            _ = try writer.bytes(of: value)
            let line = Array(line(of: value).utf8)
            if isInline || line.count <= lineLimit { return line }
            var lines: [UInt8] = []
            let inner = indentation + [0x20, 0x20]
            switch value {
            case .array(let elements):
                lines.append(UInt8(ascii: "["))
                for (position, element) in elements.enumerated() {
                    lines += (position == 0 ? [0x0A] : [UInt8(ascii: ","), 0x0A]) + inner
                    lines += try text(of: element, indentation: inner, isInline: false)
                }
                return lines + [0x0A] + indentation + [UInt8(ascii: "]")]
            case .object(let members):
                lines.append(UInt8(ascii: "{"))
                for (position, (name, member)) in sorted(members).enumerated() {
                    lines += (position == 0 ? [0x0A] : [UInt8(ascii: ","), 0x0A]) + inner
                    lines += Array("\(quoted(name)): ".utf8)
                    lines += try text(of: member, indentation: inner, isInline: false)
                }
                return lines + [0x0A] + indentation + [UInt8(ascii: "}")]
            default: return line
            }
        }

        /// A value in one line, with blanks where people put them. Recursion is bounded by what the writer accepts.
        private static func line(of value: EncodedFlagValue) -> String {
            switch value {
            case .array(let elements):
                return "[\(elements.map { line(of: $0) }.joined(separator: ", "))]"
            case .object(let members) where !members.isEmpty:
                let parts = sorted(members).map { "\(quoted($0)): \(line(of: $1))" }
                return "{ \(parts.joined(separator: ", ")) }"
            default: return ValueArgument.json(value)
            }
        }

        private static func sorted(_ members: [String: EncodedFlagValue]) -> [(String, EncodedFlagValue)] {
            members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        }

        private static func quoted(_ text: String) -> String { ValueArgument.json(.string(text)) }
    }
#endif
