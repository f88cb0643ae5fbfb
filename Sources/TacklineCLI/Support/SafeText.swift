#if CommandLine
    /// Functions that make text of unknown origin safe to show in a terminal.
    ///
    /// Control characters, direction overrides, invisible formatting, line separators and positions without a character
    /// appear as escapes such as `\u{1B}`, and a line feed as `\n`. Combining marks beyond a few on one character are
    /// dropped, so that it stays in its cell.
    enum SafeText {
        /// Returns the text in one line, with escapes.
        ///
        /// - Parameters:
        ///   - text: The text.
        ///   - limit: The largest number of characters. An ellipsis replaces the rest.
        static func line(_ text: String, limit: Int = 4096) -> String {
            if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }), text.utf8.count <= limit { return text }
            var result = ""
            var count = 0
            for character in text {
                if count == limit {
                    result += "…"
                    break
                }
                count += 1
                append(character, to: &result)
            }
            return result
        }

        /// Returns a text's lines, each with escapes. Line feeds and carriage returns end lines, and tabs become four
        /// blanks.
        static func lines(_ text: String, limit: Int = 4096) -> [String] {
            text.split(omittingEmptySubsequences: false) { $0.isNewline && $0 != "\u{B}" && $0 != "\u{C}" }.map {
                line(
                    $0.split(separator: "\t", omittingEmptySubsequences: false).joined(separator: "    "),
                    limit: limit)
            }
        }

        /// The largest number of scalars in a character. An emoji of a family has seven, or ten with skin tones.
        private static let scalarLimit = 10

        private static func append(_ character: Character, to result: inout String) {
            let scalars = character.unicodeScalars
            let joins = scalars.first?.properties.isEmoji ?? false
            // A mark without a base character would change the preceding character.
            if let first = scalars.first, isMark(first) { result += "\u{25CC}" }
            for scalar in scalars.prefix(scalarLimit) {
                switch scalar {
                case "\n": result += "\\n"
                case "\r": result += "\\r"
                case "\t": result += "\\t"
                case "\u{200D}" where joins, "\u{FE0F}" where joins:
                    result.unicodeScalars.append(scalar)
                case " "..."~": result.unicodeScalars.append(scalar)
                default:
                    if isShown(scalar) {
                        result.unicodeScalars.append(scalar)
                    } else {
                        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
                    }
                }
            }
        }

        private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark, .spacingMark: true
            default: false
            }
        }

        private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: false
            default: true
            }
        }
    }
#endif
