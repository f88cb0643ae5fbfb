#if CommandLine
    /// A place in a text, as editors count.
    struct TextPosition: Hashable, Comparable {
        /// From 1. A line ends with a line feed, a carriage return, or both in that order.
        let line: Int
        /// From 1, in Unicode scalars.
        let column: Int

        init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }

        /// The place of a byte.
        init(of offset: Int, in bytes: [UInt8]) {
            var line = 1
            // A byte order mark is not counted.
            var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            var index = start
            while index < min(offset, bytes.count) {
                if bytes[index] == 0x0A
                    || bytes[index] == 0x0D && !(index + 1 < bytes.count && bytes[index + 1] == 0x0A)
                {
                    line += 1
                    start = index + 1
                }
                index += 1
            }
            self.line = line
            let before = bytes[min(start, bytes.count)..<max(min(start, bytes.count), min(offset, bytes.count))]
            column = 1 + before.count { $0 & 0xC0 != 0x80 }
        }

        static func < (left: TextPosition, right: TextPosition) -> Bool {
            (left.line, left.column) < (right.line, right.column)
        }
    }
#endif
