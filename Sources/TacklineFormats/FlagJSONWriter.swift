#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import TacklineCore

// Foundation provides `Data`, the form in which files and servers take documents.

/// A writer of JSON.
///
/// ```swift
/// let text = try FlagJSONWriter(layout: .compact).text(of: ["a": 1, "b": 1.0])   // {"a":1,"b":1.0}
/// ```
///
/// ``FlagJSONReader`` reads the text back as the same value, with the exceptions below. Members are sorted by the bytes
/// of their keys, so equal values give equal text and differences in version control stay small. A double is written
/// with a point or an exponent (`1.0`, `1e+300`) and with the fewest digits that are read back exactly.
///
/// JSON has no data, dates or untyped text. They are written as strings, and read back as strings:
///
/// | Value | String |
/// |---|---|
/// | data | base64 |
/// | date | RFC 3339, with as many fraction digits as the date needs |
/// | untyped text | the text |
public struct FlagJSONWriter: Sendable {
    /// The layout of the text.
    public enum Layout: Sendable, Hashable {
        /// A single line without whitespace and without a line feed at the end.
        case compact
        /// One line per member or element, indented by two spaces per level, with a line feed at the end.
        case pretty
    }

    /// The layout of the text.
    public var layout: Layout
    /// The maximum nesting depth of arrays and objects. The default is 64; a value above 512 means 512.
    public var maximumDepth = EncodedFlagValue.maximumDepth

    /// Creates a writer.
    public init(layout: Layout = .pretty) {
        self.layout = layout
    }

    /// Returns the JSON text of a value as UTF-8 bytes.
    ///
    /// - Throws: ``/TacklineCore/FlagValueError`` with the path of the first part that JSON can't represent (NaN, an
    ///   infinity, or a date outside the years 1 to 9999) or that is nested deeper than ``maximumDepth``.
    /// - Complexity: O(*n* log *n*) in the number of members, because members are sorted.
    public func bytes(of value: EncodedFlagValue) throws(FlagValueError) -> [UInt8] {
        var encoder = FlagJSONEncoder(isPretty: layout == .pretty)
        try encoder.visit(value, maximumDepth: maximumDepth)
        if layout == .pretty { encoder.bytes.append(UInt8(ascii: "\n")) }
        return encoder.bytes
    }

    /// Returns the JSON text of a value as UTF-8 data.
    ///
    /// - Throws: ``/TacklineCore/FlagValueError`` under the conditions of ``bytes(of:)``.
    public func data(of value: EncodedFlagValue) throws(FlagValueError) -> Data {
        Data(try bytes(of: value))
    }

    /// Returns the JSON text of a value.
    ///
    /// - Throws: ``/TacklineCore/FlagValueError`` under the conditions of ``bytes(of:)``.
    public func text(of value: EncodedFlagValue) throws(FlagValueError) -> String {
        String(decoding: try bytes(of: value), as: UTF8.self)
    }
}

private struct FlagJSONEncoder: FlagValueVisitor {
    var bytes: [UInt8] = []
    let isPretty: Bool

    init(isPretty: Bool) {
        self.isPretty = isPretty
    }

    mutating func visitLeaf(_ value: EncodedFlagValue, level: Int) throws(FlagValueError) {
        switch value {
        case .null, .array, .object: append("null")
        case .bool(let value): append(value ? "true" : "false")
        case .integer(let value): append(String(value))
        case .double(let value): try append(value)
        case .decimal(let value): append(value.text)
        case .string(let text), .unparsed(let text): append(quoting: text)
        case .data(let data): append(quoting: data.base64EncodedString())
        case .date(let date): append(quoting: try FlagTimestamp.text(of: date))
        }
    }

    mutating func beginContainer(isObject: Bool, count: Int, level: Int) {
        bytes.append(UInt8(ascii: isObject ? "{" : "["))
    }

    mutating func beginElement(key: String?, isFirst: Bool, level: Int) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        breakLine(level: level)
        guard let key else { return }
        append(quoting: key)
        append(isPretty ? ": " : ":")
    }

    mutating func endContainer(isObject: Bool, count: Int, level: Int) {
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
        append(value.exactText)
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
            // Most strings need no escapes, so runs of unescaped bytes are appended at once.
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
