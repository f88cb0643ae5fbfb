#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: `Data` and `Date` are cases of the neutral form.

/// The bytes of a JSON text while it is written.
struct FlagJSONOutput: FlagValueVisitor {
    var bytes: [UInt8] = []
    let isPretty: Bool

    init(isPretty: Bool) {
        self.isPretty = isPretty
    }

    mutating func leaf(_ value: EncodedFlagValue, level: Int) throws(FlagValueError) {
        switch value {
        case .null, .array, .object: append("null")
        case .bool(let value): append(value ? "true" : "false")
        case .integer(let value): append(String(value))
        case .double(let value): try append(value)
        case .string(let text), .unparsed(let text): append(quoting: text)
        case .data(let data): append(quoting: data.base64EncodedString())
        case .date(let date): append(quoting: try FlagTimestamp.text(of: date))
        }
    }

    mutating func begin(isObject: Bool, count: Int, level: Int) {
        bytes.append(UInt8(ascii: isObject ? "{" : "["))
    }

    mutating func part(key: String?, isFirst: Bool, level: Int) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        breakLine(level: level)
        guard let key else { return }
        append(quoting: key)
        append(isPretty ? ": " : ":")
    }

    mutating func end(isObject: Bool, count: Int, level: Int) {
        if count > 0 { breakLine(level: level) }
        bytes.append(UInt8(ascii: isObject ? "}" : "]"))
    }

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func append(_ value: Double) throws(FlagValueError) {
        guard value.isFinite else {
            throw .encoding(Double.self, path: [], detail: "JSON has no \(value); use a number, null or a string")
        }
        // The shortest digits that are read back exactly, and always with a point or an exponent.
        append(value.description)
    }

    private mutating func breakLine(level: Int) {
        guard isPretty else { return }
        bytes.append(UInt8(ascii: "\n"))
        for _ in 0..<level {
            bytes.append(UInt8(ascii: " "))
            bytes.append(UInt8(ascii: " "))
        }
    }

    private mutating func append(quoting text: String) {
        var text = text
        bytes.append(UInt8(ascii: "\""))
        text.withUTF8 { text in
            // Whole runs at once: most texts need no escape.
            var runStart = 0
            for index in text.indices {
                let byte = text[index]
                guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
                bytes.append(contentsOf: text[runStart..<index])
                append(escaping: byte)
                runStart = index + 1
            }
            bytes.append(contentsOf: text[runStart...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func append(escaping byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case 0x08: append("\\b")
        case 0x09: append("\\t")
        case 0x0A: append("\\n")
        case 0x0C: append("\\f")
        case 0x0D: append("\\r")
        default: append((byte < 0x10 ? "\\u000" : "\\u00") + String(byte, radix: 16))
        }
    }
}
