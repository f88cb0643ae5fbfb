#if CommandLine
    /// Text in left-aligned columns, with two blanks between them. Control characters are spelled out.
    struct ColumnTable {
        private var rows: [[String]]
        /// The largest number of characters in a cell.
        private static let cellLimit = 48

        /// - Parameter header: The names of the columns.
        init(_ header: [String]) {
            rows = [header]
        }

        /// Adds a row, with a cell for each column.
        mutating func add(_ row: [String]) {
            rows.append(row.map { SafeText.line($0, limit: Self.cellLimit) })
        }

        /// The lines, each with a line feed and without trailing blanks. Columns without a cell are left out.
        var text: String {
            let columns = rows[0].indices.filter { column in rows.dropFirst().contains { !$0[column].isEmpty } }
            let widths = rows[0].indices.map { column in rows.map { CellWidth.of($0[column]) }.max() ?? 0 }
            return rows.map { row in
                var line = columns.map { column in
                    row[column] + String(repeating: " ", count: widths[column] - CellWidth.of(row[column]))
                }.joined(separator: "  ")
                while line.last == " " { line.removeLast() }
                return line + "\n"
            }.joined()
        }
    }

    /// The number of columns that characters take in a terminal.
    ///
    /// The rules are those of `wcwidth` in current terminals: East Asian wide and fullwidth characters (Unicode Standard
    /// Annex #11) and characters that are emoji by default take two columns, and combining marks take none.
    enum CellWidth {
        /// Returns the columns of a character from ``SafeText``, at least one.
        static func of(_ character: Character) -> Int {
            let scalars = character.unicodeScalars
            guard let first = scalars.first else { return 1 }
            if scalars.index(after: scalars.startIndex) == scalars.endIndex { return max(1, of(first)) }
            var sum = 0
            for scalar in scalars {
                switch scalar.value {
                // An emoji variation selector, a joiner, a second letter of a flag, or a skin tone makes the character
                // wide.
                case 0xFE0F, 0x200D, 0x1F1E6...0x1F1FF, 0x1F3FB...0x1F3FF: return 2
                default: sum += of(scalar)
                }
            }
            return max(1, sum)
        }

        /// Returns the columns of a text.
        static func of(_ text: String) -> Int {
            text.reduce(0) { $0 + of($1) }
        }

        static func of(_ scalar: Unicode.Scalar) -> Int {
            if scalar.value < 0x300 { return scalar.value == 0xAD ? 0 : 1 }
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark, .format, .control: return 0
            default: break
            }
            // These are the vowels and final consonants that join a leading consonant in Hangul.
            if (0x1160...0x11FF).contains(scalar.value) { return 0 }
            return scalar.properties.isEmojiPresentation || isWide(scalar.value) ? 2 : 1
        }

        private static func isWide(_ value: UInt32) -> Bool {
            guard value >= 0x1100 else { return false }
            return wide.contains { $0.contains(value) }
        }

        /// The blocks of East Asian wide and fullwidth characters without emoji, including their unassigned positions.
        private static let wide: [ClosedRange<UInt32>] = [
            0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4CF,
            0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
            0xFFE0...0xFFE6, 0x16FE0...0x18AFF, 0x18B00...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
        ]
    }
#endif
