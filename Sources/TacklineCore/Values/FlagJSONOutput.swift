#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: `Data` and `Date` are cases of the neutral form.

/// The bytes of a JSON text while it is written.
struct FlagJSONOutput {
    var bytes: [UInt8] = []
    let isPretty: Bool

    init(isPretty: Bool) {
        self.isPretty = isPretty
    }

    /// Writes a value; the recursion ends at the depth that the reader ends at.
    mutating func append(_ value: EncodedFlagValue, level: Int) throws(FlagValueError) {
        switch value {
        case .null: append("null")
        case .bool(let value): append(value ? "true" : "false")
        case .integer(let value): append(String(value))
        case .double(let value): try append(value)
        case .string(let text), .unparsed(let text): append(quoting: text)
        case .data(let data): append(quoting: data.base64EncodedString())
        case .date(let date): append(quoting: try FlagTimestamp.text(of: date))
        case .array(let elements): try append(elements, level: level)
        case .object(let members): try append(members, level: level)
        }
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

    private mutating func append(_ elements: [EncodedFlagValue], level: Int) throws(FlagValueError) {
        try Self.checkDepth(level)
        bytes.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            breakLine(level: level + 1)
            do {
                try append(element, level: level + 1)
            } catch {
                throw error.nested(in: String(index))
            }
        }
        if !elements.isEmpty { breakLine(level: level) }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func append(_ members: [String: EncodedFlagValue], level: Int) throws(FlagValueError) {
        try Self.checkDepth(level)
        bytes.append(UInt8(ascii: "{"))
        let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        for (index, member) in sorted.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            breakLine(level: level + 1)
            append(quoting: member.key)
            append(isPretty ? ": " : ":")
            do {
                try append(member.value, level: level + 1)
            } catch {
                throw error.nested(in: member.key)
            }
        }
        if !sorted.isEmpty { breakLine(level: level) }
        bytes.append(UInt8(ascii: "}"))
    }

    static func checkDepth(_ level: Int) throws(FlagValueError) {
        guard level < FlagJSONParser.greatestDepth else {
            let limit = FlagJSONParser.greatestDepth
            let detail = "more than \(limit) arrays and objects in each other"
            throw .encoding(EncodedFlagValue.self, path: [], detail: detail)
        }
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
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0x08: append("\\b")
            case 0x09: append("\\t")
            case 0x0A: append("\\n")
            case 0x0C: append("\\f")
            case 0x0D: append("\\r")
            case 0..<0x20: append(byte < 0x10 ? "\\u000" : "\\u00\(byte >> 4)", lowDigitOf: byte)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func append(_ prefix: String, lowDigitOf byte: UInt8) {
        append(prefix)
        append(String(byte & 15, radix: 16))
    }
}
