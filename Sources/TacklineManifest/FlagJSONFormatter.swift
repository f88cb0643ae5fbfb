package import TacklineCore
import TacklineFiles

/// A layout for values that an edit adds to a JSON text: members sorted by key, and two blanks for each level.
package enum FlagJSONFormatter {
    /// The number of bytes up to which a value stays in one line.
    private static let lineLimit = 64

    /// Returns a value as a person would lay it out who adds it to a file.
    ///
    /// Recursion is bounded by the depth of the value, which a reader has limited.
    ///
    /// - Parameters:
    ///   - indentation: The indentation of the line that the value continues.
    ///   - isInline: Whether everything goes into one line, as the text around it does.
    /// - Throws: ``FlagValueError`` for a value that JSON can't hold.
    package static func text(
        of value: EncodedFlagValue, indentation: [UInt8], isInline: Bool
    ) throws(FlagValueError) -> [UInt8] {
        if let line = try line(of: value, limit: isInline ? .max : lineLimit) { return line }
        guard let parts = try parts(of: value) else { return try scalar(value) }
        let inner = indentation + [0x20, 0x20]
        var result = [parts.isObject ? UInt8(ascii: "{") : UInt8(ascii: "[")]
        for (position, part) in parts.values.enumerated() {
            if position > 0 { result.append(UInt8(ascii: ",")) }
            result += [0x0A] + inner + part.key + (try text(of: part.value, indentation: inner, isInline: false))
        }
        return result + [0x0A] + indentation + [parts.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")]
    }

    /// Returns a value in one line, or `nil` if it is longer than `limit`.
    private static func line(of value: EncodedFlagValue, limit: Int) throws(FlagValueError) -> [UInt8]? {
        guard let parts = try parts(of: value) else {
            let text = try scalar(value)
            return text.count <= limit ? text : nil
        }
        if parts.values.isEmpty { return Array((parts.isObject ? "{}" : "[]").utf8) }
        var result = Array((parts.isObject ? "{ " : "[").utf8)
        for (position, part) in parts.values.enumerated() {
            if position > 0 { result += ", ".utf8 }
            result += part.key
            guard let text = try line(of: part.value, limit: limit - result.count) else { return nil }
            result += text
        }
        result += (parts.isObject ? " }" : "]").utf8
        return result.count <= limit ? result : nil
    }

    /// Returns the members, each with its key and colon, or the elements; `nil` if the value has none.
    private static func parts(
        of value: EncodedFlagValue
    ) throws(FlagValueError) -> (isObject: Bool, values: [(key: [UInt8], value: EncodedFlagValue)])? {
        switch value {
        case .array(let elements): return (false, elements.map { ([], $0) })
        case .object(let members):
            var values: [(key: [UInt8], value: EncodedFlagValue)] = []
            for (name, value) in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                values.append((try scalar(.string(name)) + ": ".utf8, value))
            }
            return (true, values)
        default: return nil
        }
    }

    private static func scalar(_ value: EncodedFlagValue) throws(FlagValueError) -> [UInt8] {
        try FlagJSONWriter(layout: .compact).bytes(of: value)
    }
}
