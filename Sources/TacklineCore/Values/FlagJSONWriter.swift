package import TacklineFoundation

/// A writer of JSON.
///
/// ```swift
/// let text = try FlagJSONWriter(layout: .compact).text(of: ["a": 1, "b": 1.0])   // {"a":1,"b":1.0}
/// ```
///
/// ``FlagJSONReader`` reads the text back as the same value, with the exceptions below. Members are sorted by their
/// keys, so equal values give equal text and differences in version control stay small. A double is written with a
/// point or an exponent (`1.0`, `1e+300`) and with the fewest digits that are read back exactly.
///
/// JSON has no data, dates or untyped text. They are written as strings, and read back as strings: data in base64, and
/// a date in the form of RFC 3339, to the millisecond.
package struct FlagJSONWriter: Sendable {
    package enum Layout: Sendable {
        /// A single line without whitespace and without a line feed at the end.
        case compact
        /// One line per member or element, indented by two spaces per level, with a line feed at the end.
        case pretty
    }

    package var layout: Layout
    /// The maximum nesting depth of arrays and objects. The default is 64; a value above 160 means 160.
    package var maximumDepth = EncodedFlagValue.maximumDepth

    package init(layout: Layout = .pretty) { self.layout = layout }

    /// Returns the JSON text of a value as UTF-8 bytes.
    ///
    /// - Throws: ``FlagValueError`` with the path of the first part that JSON can't represent (NaN, an infinity, or a
    ///   date outside the years 1 to 9999) or that is nested deeper than ``maximumDepth``.
    /// - Complexity: O(*n* log *n*) in the number of members, because members are sorted.
    package func bytes(of value: EncodedFlagValue) throws(FlagValueError) -> [UInt8] {
        var bytes: [UInt8] = []
        try append(value, level: 0, to: &bytes)
        if layout == .pretty { bytes.append(UInt8(ascii: "\n")) }
        return bytes
    }

    package func data(of value: EncodedFlagValue) throws(FlagValueError) -> Data { Data(try bytes(of: value)) }

    package func text(of value: EncodedFlagValue) throws(FlagValueError) -> String {
        String(decoding: try bytes(of: value), as: UTF8.self)
    }

    // Three methods, because a level of recursion takes the stack that their variables need.
    private func append(_ value: EncodedFlagValue, level: Int, to bytes: inout [UInt8]) throws(FlagValueError) {
        let limit = min(maximumDepth, FlagJSONReader.maximumSupportedDepth)
        if value.isContainer, level >= limit {
            throw .encoding(EncodedFlagValue.self, detail: EncodedFlagValue.tooDeep(limit: limit))
        }
        switch value {
        case .array(let elements): try append(elements.map { (nil, $0) }, "[", "]", level: level, to: &bytes)
        case .object(let members):
            let keys = Array(members.keys).sorted()
            try append(keys.map { ($0, members[$0] ?? .null) }, "{", "}", level: level, to: &bytes)
        default: try append(scalar: value, to: &bytes)
        }
    }

    /// Appends the members of an object, or the elements of an array, which have no keys.
    private func append(
        _ parts: [(key: String?, value: EncodedFlagValue)], _ opening: Unicode.Scalar, _ closing: Unicode.Scalar,
        level: Int, to bytes: inout [UInt8]
    ) throws(FlagValueError) {
        bytes.append(UInt8(ascii: opening))
        for (index, part) in parts.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            breakLine(level: level + 1, &bytes)
            if let key = part.key {
                append(quoting: key, to: &bytes)
                bytes += (layout == .pretty ? ": " : ":").utf8
            }
            do { try append(part.value, level: level + 1, to: &bytes) } catch {
                throw error.nested(in: part.key ?? String(index))
            }
        }
        if !parts.isEmpty { breakLine(level: level, &bytes) }
        bytes.append(UInt8(ascii: closing))
    }

    private func append(scalar value: EncodedFlagValue, to bytes: inout [UInt8]) throws(FlagValueError) {
        switch value {
        case .null, .array, .object: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .integer(let value): bytes += String(value).utf8
        case .double(let value):
            guard value.isFinite else {
                throw .encoding(Double.self, detail: "JSON has no \(value); use a number, null or a string")
            }
            bytes += value.description.utf8
        case .string(let text), .unparsed(let text): append(quoting: text, to: &bytes)
        case .data(let data): append(quoting: data.base64EncodedString(), to: &bytes)
        case .date(let date): append(quoting: try FlagTimestamp.text(of: date), to: &bytes)
        }
    }

    private func breakLine(level: Int, _ bytes: inout [UInt8]) {
        guard layout == .pretty else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes += repeatElement(UInt8(ascii: " "), count: 2 * level)
    }

    private static let escapes: [(byte: UInt8, text: String)] = [
        (0x22, #"\""#), (0x5C, #"\\"#), (0x0A, #"\n"#), (0x0D, #"\r"#), (0x09, #"\t"#), (0x08, #"\b"#),
        (0x0C, #"\f"#),
    ]

    private func append(quoting text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            if byte >= 0x20, byte != 0x22, byte != 0x5C {
                bytes.append(byte)
            } else {
                let code = (byte < 0x10 ? "\\u000" : "\\u00") + String(byte, radix: 16)
                bytes += (Self.escapes.first { $0.byte == byte }?.text ?? code).utf8
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
