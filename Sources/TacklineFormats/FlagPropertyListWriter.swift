#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import TacklineCore

// Foundation provides `Data`, the form in which files take documents, and its base64 coding.

/// A writer of XML and binary property lists.
///
/// ``FlagPropertyListReader`` reads the list back as the same value, except that untyped text is written as a string.
/// Other readers of property lists can read it too. Members are sorted by the bytes of their keys.
///
/// A value that a property list can't represent is written as a marker string:
///
/// | Value | String |
/// |---|---|
/// | null | `$null` |
/// | an integer outside the ranges of `Int64` and `UInt64` | `$integer 170141183460469231731687303715884105727` |
/// | in XML, a date with a fraction of a second | `$date 2026-11-21T08:00:00.25Z` |
/// | in XML, a string or key that XML can't represent | `$text`, a space, and its UTF-8 bytes in base64 |
///
/// XML can't represent control characters, U+FFFE and U+FFFF. A byte order mark at the start of a string is also
/// marked, because some readers remove it.
///
/// A string that has the form of a marker, possibly after additional dollar signs, is escaped with another dollar sign.
/// The reader removes it.
public struct FlagPropertyListWriter: Sendable {
    /// The format of a property list.
    public enum Format: Sendable, Hashable {
        /// The XML format, version 1.0.
        case xml
        /// The binary format, version 00, which represents every date exactly.
        case binary
    }

    /// The format to write.
    public var format: Format
    /// The maximum nesting depth of arrays and objects. The default is 64; a value above 512 means 512.
    public var maximumDepth = EncodedFlagValue.maximumDepth

    /// Creates a writer.
    public init(format: Format) {
        self.format = format
    }

    /// Returns a value as the bytes of a property list.
    ///
    /// - Throws: ``/TacklineCore/FlagValueError`` with the path of the first part that the format can't represent (in
    ///   XML, a date outside the years 1 to 9999) or that is nested deeper than ``maximumDepth``.
    /// - Complexity: O(*n* log *n*) in the number of members, because members are sorted.
    public func bytes(of value: EncodedFlagValue) throws(FlagValueError) -> [UInt8] {
        switch format {
        case .xml:
            var encoder = FlagXMLPropertyListEncoder()
            return try encoder.encode(value, maximumDepth: maximumDepth)
        case .binary:
            var encoder = FlagBinaryPropertyListEncoder()
            return try encoder.encode(value, maximumDepth: maximumDepth)
        }
    }

    /// Returns a value as the data of a property list.
    ///
    /// - Throws: ``/TacklineCore/FlagValueError`` under the conditions of ``bytes(of:)``.
    public func data(of value: EncodedFlagValue) throws(FlagValueError) -> Data {
        Data(try bytes(of: value))
    }
}

/// The marker strings for values that a property list can't represent.
enum FlagPropertyListMarker {
    static let null = "$null"
    private static let words = ["date ", "integer ", "text "]
    private static let dollar = UInt8(ascii: "$")

    /// Returns the marker for a date with a fraction of a second, which XML can't represent.
    static func date(_ date: Date) throws(FlagValueError) -> String {
        "$date \(try FlagTimestamp.text(of: date))"
    }

    /// Returns the marker for an integer outside the ranges of `Int64` and `UInt64`.
    static func integer(_ value: Int128) -> String {
        "$integer \(value)"
    }

    /// Returns the marker for a string that XML can't represent.
    static func text(_ text: String) -> String {
        "$text \(Data(Array(text.utf8)).base64EncodedString())"
    }

    /// Returns a string with a dollar sign in front if it could be read as a marker, otherwise unchanged.
    static func escaped(_ text: String) -> String {
        resemblesMarker(text) ? "$" + text : text
    }

    /// Returns the value that a string of a property list represents.
    static func value(from text: String) -> EncodedFlagValue {
        guard resemblesMarker(text) else { return .string(text) }
        if text == null { return .null }
        if let rest = suffix(of: text, after: "$date "), let date = FlagTimestamp.date(from: rest) {
            return .date(date)
        }
        if let rest = suffix(of: text, after: "$integer "), let value = Int128(decimal: rest) { return .integer(value) }
        return .string(key(from: text))
    }

    /// Returns the string that a string or key of a property list represents.
    static func key(from text: String) -> String {
        guard resemblesMarker(text) else { return text }
        if let rest = suffix(of: text, after: "$text "), let data = Data(base64Encoded: rest) {
            return String(validating: [UInt8](data), as: UTF8.self) ?? text
        }
        return suffix(of: text, after: "$$").map { "$" + $0 } ?? text
    }

    /// Returns the rest of `text` if its UTF-8 bytes begin with those of `word`.
    private static func suffix(of text: String, after word: String) -> String? {
        let (bytes, start) = (Array(text.utf8), Array(word.utf8))
        return bytes.starts(with: start) ? String(decoding: bytes[start.count...], as: UTF8.self) : nil
    }

    private static func resemblesMarker(_ text: String) -> Bool {
        // Most strings fail this test, which is cheap.
        guard text.utf8.first == dollar else { return false }
        let rest = String(decoding: Array(text.utf8).drop { $0 == dollar }, as: UTF8.self)
        return rest == "null" || words.contains { suffix(of: rest, after: $0) != nil }
    }
}

/// An encoder for XML property lists.
struct FlagXMLPropertyListEncoder: FlagValueVisitor {
    private var text = ""

    mutating func encode(_ value: EncodedFlagValue, maximumDepth: Int) throws(FlagValueError) -> [UInt8] {
        text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">

            """
        try visit(value, maximumDepth: maximumDepth)
        text += "</plist>\n"
        return Array(text.utf8)
    }

    mutating func visitLeaf(_ value: EncodedFlagValue, level: Int) throws(FlagValueError) {
        switch value {
        case .null, .array, .object: line("<string>\(FlagPropertyListMarker.null)</string>", level)
        case .bool(let value): line(value ? "<true/>" : "<false/>", level)
        case .integer(let value):
            if Int64(exactly: value) != nil || UInt64(exactly: value) != nil {
                line("<integer>\(value)</integer>", level)
            } else {
                line("<string>\(FlagPropertyListMarker.integer(value))</string>", level)
            }
        case .double(let value): line("<real>\(Self.text(of: value))</real>", level)
        case .string(let value), .unparsed(let value): line("<string>\(Self.escaped(value))</string>", level)
        case .data(let value): line("<data>\(value.base64EncodedString())</data>", level)
        case .date(let value):
            let interval = value.timeIntervalSinceReferenceDate
            if interval == interval.rounded() {
                line("<date>\(try FlagTimestamp.text(of: value))</date>", level)
            } else {
                line("<string>\(try FlagPropertyListMarker.date(value))</string>", level)
            }
        }
    }

    mutating func beginContainer(isObject: Bool, count: Int, level: Int) {
        line(isObject ? "<dict>" : "<array>", level)
    }

    mutating func beginElement(key: String?, isFirst: Bool, level: Int) {
        if let key { line("<key>\(Self.escaped(key))</key>", level) }
    }

    mutating func endContainer(isObject: Bool, count: Int, level: Int) {
        line(isObject ? "</dict>" : "</array>", level)
    }

    private mutating func line(_ content: String, _ level: Int) {
        for _ in 0..<level { text += "\t" }
        text += content
        text += "\n"
    }

    private static func text(of value: Double) -> String {
        if value.isNaN { return "nan" }
        return value.isInfinite ? (value < 0 ? "-infinity" : "+infinity") : value.description
    }

    private static func escaped(_ string: String) -> String {
        // Foundation on Linux removes a byte order mark at the start of a string.
        let isXML =
            string.unicodeScalars.first?.value != 0xFEFF
            && string.unicodeScalars.allSatisfy { scalar in
                switch scalar.value {
                case 0x09, 0x0A, 0x0D: true
                case 0..<0x20, 0xFFFE, 0xFFFF: false
                default: true
                }
            }
        guard isXML else { return FlagPropertyListMarker.text(string) }
        var result = ""
        for scalar in FlagPropertyListMarker.escaped(string).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\r": result += "&#13;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
