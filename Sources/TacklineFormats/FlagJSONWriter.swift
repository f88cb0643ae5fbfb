#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import TacklineCore

// Foundation: `Data` is what files and servers take.

/// Writes ``/TacklineCore/EncodedFlagValue`` as JSON that ``FlagJSONReader`` reads back as the same value.
///
/// Members are sorted by the bytes of their keys, so that equal values give equal text and version control shows only
/// what changed. A `double` always looks like one (`1.0`, `1e+300`) and has the fewest digits that are read back
/// exactly. JSON has no data, dates and untyped texts: they become a string in base64, a string in the form of RFC 3339
/// with as many fraction digits as the date needs, and a plain string.
public struct FlagJSONWriter: Sendable {
    /// How the text is laid out.
    public enum Layout: Sendable, Hashable {
        /// One line without blanks and without a line feed at its end.
        case compact
        /// One member or element a line, indented by two spaces a level, with a line feed at the end.
        case pretty
    }

    /// How the text is laid out.
    public var layout: Layout
    /// How many levels deep arrays and objects may be nested; at most 512, which a larger number means too.
    public var maximumDepth = EncodedFlagValue.maximumDepth

    /// Makes a writer.
    public init(layout: Layout = .pretty) {
        self.layout = layout
    }

    /// Writes the value in UTF-8.
    ///
    /// - Throws: ``/TacklineCore/FlagValueError`` with the path of what JSON cannot hold: NaN, an infinity, a date
    ///   outside the years 1 to 9999; and of what stands deeper than ``maximumDepth``.
    /// - Complexity: O(*n* log *n*) in the number of members, for sorting them.
    public func bytes(of value: EncodedFlagValue) throws(FlagValueError) -> [UInt8] {
        var output = FlagJSONOutput(isPretty: layout == .pretty)
        try output.visit(value, maximumDepth: maximumDepth)
        if layout == .pretty { output.bytes.append(UInt8(ascii: "\n")) }
        return output.bytes
    }

    /// Writes the value as data, in UTF-8.
    ///
    /// - Throws: ``/TacklineCore/FlagValueError`` as ``bytes(of:)`` does.
    public func data(of value: EncodedFlagValue) throws(FlagValueError) -> Data {
        Data(try bytes(of: value))
    }

    /// Writes the value as text.
    ///
    /// - Throws: ``/TacklineCore/FlagValueError`` as ``bytes(of:)`` does.
    public func text(of value: EncodedFlagValue) throws(FlagValueError) -> String {
        String(decoding: try bytes(of: value), as: UTF8.self)
    }
}

/// The bytes of a JSON text while it is written.
private struct FlagJSONOutput: FlagValueVisitor {
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
