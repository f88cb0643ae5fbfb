#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import TacklineCore

// Foundation: `Data` is what files take, and does the base64.

/// Writes ``/TacklineCore/EncodedFlagValue`` as a property list that ``FlagPropertyListReader`` reads back as the same
/// value, and that other readers of property lists read too.
///
/// What a property list cannot hold becomes a string with a marker:
///
/// | Value | String |
/// |---|---|
/// | null | `$null` |
/// | an integer beyond `Int64` and `UInt64` | `$integer 170141183460469231731687303715884105727` |
/// | in XML, a date with a fraction of a second | `$date 2026-11-21T08:00:00.25Z` |
/// | in XML, a text or key with control characters | `$text` and the text's UTF-8 in base64 |
///
/// A real string that looks like one of them, with any number of dollar signs in front, gets one more, which reading
/// takes away. An untyped text becomes a plain string.
public struct FlagPropertyListWriter: Sendable {
    /// The format of a property list.
    public enum Format: Sendable, Hashable {
        /// Text, with members sorted by their keys' bytes.
        case xml
        /// The format `bplist00`, which holds every date exactly.
        case binary
    }

    /// The format to write.
    public var format: Format
    /// How many levels deep arrays and objects may be nested; at most 512, which a larger number means too.
    public var maximumDepth = EncodedFlagValue.maximumDepth

    /// Makes a writer.
    public init(format: Format) {
        self.format = format
    }

    /// Writes the value as a property list.
    ///
    /// - Throws: ``/TacklineCore/FlagValueError`` with the path of what the format cannot hold, in XML a date outside
    ///   the years 1 to 9999; and of what stands deeper than ``maximumDepth``.
    /// - Complexity: O(*n* log *n*) in the number of members, for sorting them.
    public func bytes(of value: EncodedFlagValue) throws(FlagValueError) -> [UInt8] {
        switch format {
        case .xml:
            var output = FlagXMLPropertyListOutput()
            return try output.document(value, maximumDepth: maximumDepth)
        case .binary:
            var output = FlagBinaryPropertyListOutput()
            return try output.document(value, maximumDepth: maximumDepth)
        }
    }

    /// Writes the value as a property list.
    ///
    /// - Throws: ``/TacklineCore/FlagValueError`` as ``bytes(of:)`` does.
    public func data(of value: EncodedFlagValue) throws(FlagValueError) -> Data {
        Data(try bytes(of: value))
    }
}

/// Strings that stand for what a property list cannot hold.
enum FlagPropertyListMarker {
    static let null = "$null"
    private static let words = ["date ", "integer ", "text "]
    private static let dollar = UInt8(ascii: "$")

    /// The string that stands for a date with a fraction of a second, in XML.
    static func date(_ date: Date) throws(FlagValueError) -> String {
        "$date \(try FlagTimestamp.text(of: date))"
    }

    /// The string that stands for an integer beyond `UInt64` and `Int64`.
    static func integer(_ value: Int128) -> String {
        "$integer \(value)"
    }

    /// The string that stands for a text with characters that XML cannot hold.
    static func text(_ text: String) -> String {
        "$text \(Data(Array(text.utf8)).base64EncodedString())"
    }

    /// A text as it is written: one that looks like a marker, with or without further dollar signs, gets one more.
    static func escaped(_ text: String) -> String {
        isMarkerShaped(text) ? "$" + text : text
    }

    /// What a string of a list means.
    static func value(from text: String) -> EncodedFlagValue {
        guard isMarkerShaped(text) else { return .string(text) }
        if text == null { return .null }
        if let rest = content(of: text, "$date "), let date = FlagTimestamp.date(from: rest) { return .date(date) }
        if let rest = content(of: text, "$integer "), let value = Int128(decimal: rest) { return .integer(value) }
        return .string(key(from: text))
    }

    /// What a key of a list means; a key is always a text.
    static func key(from text: String) -> String {
        guard isMarkerShaped(text) else { return text }
        if let rest = content(of: text, "$text "), let data = Data(base64Encoded: rest) {
            return String(validating: [UInt8](data), as: UTF8.self) ?? text
        }
        return content(of: text, "$$").map { "$" + $0 } ?? text
    }

    /// What follows a word at the start of a text, by their bytes.
    private static func content(of text: String, _ word: String) -> String? {
        let (bytes, start) = (Array(text.utf8), Array(word.utf8))
        return bytes.starts(with: start) ? String(decoding: bytes[start.count...], as: UTF8.self) : nil
    }

    private static func isMarkerShaped(_ text: String) -> Bool {
        // Most texts are none.
        guard text.utf8.first == dollar else { return false }
        let rest = String(decoding: Array(text.utf8).drop { $0 == dollar }, as: UTF8.self)
        return rest == "null" || words.contains { content(of: rest, $0) != nil }
    }
}

/// The bytes of an XML property list while it is written.
struct FlagXMLPropertyListOutput: FlagValueVisitor {
    private var text = ""

    mutating func document(_ value: EncodedFlagValue, maximumDepth: Int) throws(FlagValueError) -> [UInt8] {
        text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">

            """
        try visit(value, maximumDepth: maximumDepth)
        text += "</plist>\n"
        return Array(text.utf8)
    }

    mutating func leaf(_ value: EncodedFlagValue, level: Int) throws(FlagValueError) {
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

    mutating func begin(isObject: Bool, count: Int, level: Int) {
        line(isObject ? "<dict>" : "<array>", level)
    }

    mutating func part(key: String?, isFirst: Bool, level: Int) {
        if let key { line("<key>\(Self.escaped(key))</key>", level) }
    }

    mutating func end(isObject: Bool, count: Int, level: Int) {
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
        // Foundation on Linux drops a byte order mark in front, and with it the text becomes another one.
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
