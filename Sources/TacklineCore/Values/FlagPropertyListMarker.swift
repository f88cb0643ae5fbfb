#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: `Data` does the base64.

/// Strings that stand for what a property list cannot hold.
enum FlagPropertyListMarker {
    static let null = "$null"
    private static let words = ["date ", "integer ", "text "]

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
        "$text \(Data(text.utf8).base64EncodedString())"
    }

    /// A text as it is written: one that looks like a marker, with or without further dollar signs, gets one more.
    static func escaped(_ text: String) -> String {
        isMarkerShaped(text) ? "$" + text : text
    }

    /// What a string of a list means.
    static func value(from text: String) -> EncodedFlagValue {
        guard isMarkerShaped(text) else { return .string(text) }
        if text == null { return .null }
        if let rest = content(of: text, "date "), let date = FlagTimestamp.date(from: rest) {
            return .date(date)
        }
        if let rest = content(of: text, "integer "), let value = Int128(decimal: rest) {
            return .integer(value)
        }
        return .string(key(from: text))
    }

    /// What a key of a list means; a key is always a text.
    static func key(from text: String) -> String {
        guard isMarkerShaped(text) else { return text }
        if let rest = content(of: text, "text "), let data = Data(base64Encoded: rest) {
            return String(validating: data, as: UTF8.self) ?? text
        }
        return text.utf8.dropFirst().first == UInt8(ascii: "$") ? String(text.unicodeScalars.dropFirst()) : text
    }

    private static func content(of text: String, _ word: String) -> String? {
        let start = "$" + word
        return text.utf8.starts(with: start.utf8)
            ? String(decoding: text.utf8.dropFirst(start.utf8.count), as: UTF8.self) : nil
    }

    private static func isMarkerShaped(_ text: String) -> Bool {
        guard text.utf8.first == UInt8(ascii: "$") else { return false }
        let rest = text.utf8.drop { $0 == UInt8(ascii: "$") }
        return rest.elementsEqual("null".utf8) || words.contains { rest.starts(with: $0.utf8) }
    }
}
