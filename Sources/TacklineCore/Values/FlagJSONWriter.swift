#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: `Data` is what files and servers take.

/// Writes ``EncodedFlagValue`` as JSON that ``FlagJSONReader`` reads back as the same value.
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

    /// Makes a writer.
    public init(layout: Layout = .pretty) {
        self.layout = layout
    }

    /// The value as UTF-8.
    ///
    /// - Throws: ``FlagValueError`` with the path of what JSON cannot hold: NaN, an infinity, a date outside the years 1
    ///   to 9999, more than 512 arrays and objects in each other.
    /// - Complexity: O(*n* log *n*) in the number of members, for sorting them.
    public func bytes(of value: EncodedFlagValue) throws(FlagValueError) -> [UInt8] {
        var output = FlagJSONOutput(isPretty: layout == .pretty)
        try output.visit(value)
        if layout == .pretty { output.bytes.append(UInt8(ascii: "\n")) }
        return output.bytes
    }

    /// The value as data, in UTF-8.
    ///
    /// - Throws: ``FlagValueError`` as ``bytes(of:)`` does.
    public func data(of value: EncodedFlagValue) throws(FlagValueError) -> Data {
        Data(try bytes(of: value))
    }

    /// The value as text.
    ///
    /// - Throws: ``FlagValueError`` as ``bytes(of:)`` does.
    public func text(of value: EncodedFlagValue) throws(FlagValueError) -> String {
        String(decoding: try bytes(of: value), as: UTF8.self)
    }
}
