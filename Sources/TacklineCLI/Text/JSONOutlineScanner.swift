#if CommandLine
    import TacklineCore

    /// Goes once over a JSON text that is known to be right.
    struct JSONOutlineScanner {
        private let bytes: [UInt8]
        private var position = 0
        private var found: [JSONOutline.Node] = []
        /// The open arrays and objects, with the key of the member that is being read.
        private var open: [(node: Int, key: Range<Int>?)] = []

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        }

        mutating func nodes() -> [JSONOutline.Node] {
            while position < bytes.count {
                switch bytes[position] {
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    let node = begin(isObject: bytes[position] == UInt8(ascii: "{"))
                    open.append((node, nil))
                    position += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    position += 1
                    if let last = open.popLast() { end(last.node) }
                case UInt8(ascii: "\""):
                    let range = string()
                    if let last = open.last, found[last.node].isObject, last.key == nil {
                        open[open.count - 1].key = range
                    } else {
                        end(begin(isObject: false, at: range.lowerBound))
                    }
                case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D:
                    position += 1
                default:
                    let node = begin(isObject: false)
                    while position < bytes.count, !JSONOutlineScanner.endsLiteral(bytes[position]) { position += 1 }
                    end(node)
                }
            }
            return found
        }

        /// Notes a value that begins, and hangs it into what is open.
        private mutating func begin(isObject: Bool, at start: Int? = nil) -> Int {
            let start = start ?? position
            let node = found.count
            found.append(JSONOutline.Node(range: start..<start, isObject: isObject))
            guard let last = open.last else { return node }
            if let key = last.key {
                found[last.node].members.append(JSONOutline.Member(key: text(key), keyRange: key, value: node))
                open[open.count - 1].key = nil
            } else {
                found[last.node].elements.append(node)
            }
            return node
        }

        private mutating func end(_ node: Int) {
            found[node].range = found[node].range.lowerBound..<position
        }

        private mutating func string() -> Range<Int> {
            let start = position
            position += 1
            while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
                position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
            }
            position = min(position + 1, bytes.count)
            return start..<position
        }

        private func text(_ range: Range<Int>) -> String {
            let literal = Array(bytes[range])
            guard literal.contains(UInt8(ascii: "\\")) else {
                return String(decoding: literal.dropFirst().dropLast(), as: UTF8.self)
            }
            guard case .string(let text)? = try? FlagJSONReader().read(literal) else { return "" }
            return text
        }

        private static func endsLiteral(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x09, 0x0A, 0x0D: true
            default: false
            }
        }
    }
#endif
