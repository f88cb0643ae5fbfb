#if CommandLine
    /// The comments of a JSON text, `//` to the end of a line and `/* */`: JSON has none, and people write them.
    struct JSONComments {
        /// Where they stand, in their order.
        let ranges: [Range<Int>]
        /// The text with blanks in their place: as long, with the same lines.
        let plain: [UInt8]

        /// Finds them. One that is not closed is left to the reader, which then says so.
        ///
        /// - Complexity: O(*n*) in the number of bytes.
        init(_ bytes: [UInt8]) {
            var ranges: [Range<Int>] = []
            var plain = bytes
            var position = 0
            while position < bytes.count {
                switch bytes[position] {
                case UInt8(ascii: "\""):
                    position += 1
                    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
                        position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
                    }
                    position += 1
                case UInt8(ascii: "/"):
                    guard let end = Self.end(of: position, in: bytes) else {
                        position += 1
                        continue
                    }
                    ranges.append(position..<end)
                    for offset in position..<end where bytes[offset] != 0x0A && bytes[offset] != 0x0D {
                        plain[offset] = 0x20
                    }
                    position = end
                default: position += 1
                }
            }
            self.ranges = ranges
            self.plain = plain
        }

        private static func end(of start: Int, in bytes: [UInt8]) -> Int? {
            guard start + 1 < bytes.count else { return nil }
            var position = start + 2
            if bytes[start + 1] == UInt8(ascii: "/") {
                while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D { position += 1 }
                return position
            }
            guard bytes[start + 1] == UInt8(ascii: "*") else { return nil }
            while position + 1 < bytes.count {
                if bytes[position] == UInt8(ascii: "*"), bytes[position + 1] == UInt8(ascii: "/") {
                    return position + 2
                }
                position += 1
            }
            return nil
        }
    }
#endif
