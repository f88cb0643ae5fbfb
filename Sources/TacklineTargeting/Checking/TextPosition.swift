/// A line and a column in a text, counted as editors do.
package struct TextPosition: Hashable, Comparable {
    /// The line, counted from 1. A line ends with a line feed, a carriage return, or both in that order.
    package let line: Int
    /// The column in Unicode scalars, counted from 1.
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// Returns the positions of bytes, in the order given.
    ///
    /// - Complexity: O(*n*) in the length of the text, plus the time to sort the offsets.
    package static func positions(of offsets: [Int], in bytes: [UInt8]) -> [TextPosition] {
        var positions = [TextPosition](repeating: TextPosition(line: 1, column: 1), count: offsets.count)
        var (line, column) = (1, 1)
        // A byte order mark is not counted.
        var index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        for (offset, place) in offsets.enumerated().map({ ($1, $0) }).sorted(by: <) {
            while index < min(offset, bytes.count) {
                let isReturn = bytes[index] == 0x0D && !(index + 1 < bytes.count && bytes[index + 1] == 0x0A)
                if bytes[index] == 0x0A || isReturn {
                    line += 1
                    column = 1
                } else if bytes[index] & 0xC0 != 0x80 {
                    column += 1
                }
                index += 1
            }
            positions[place] = TextPosition(line: line, column: column)
        }
        return positions
    }

    package static func < (left: TextPosition, right: TextPosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}
