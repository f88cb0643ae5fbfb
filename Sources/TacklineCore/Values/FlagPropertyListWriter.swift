#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: `Data` is what files take.

/// Writes ``EncodedFlagValue`` as a property list that ``FlagPropertyListReader`` reads back as the same value, and that
/// other readers of property lists read too.
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

    /// Makes a writer.
    public init(format: Format) {
        self.format = format
    }

    /// The value as a property list.
    ///
    /// - Throws: ``FlagValueError`` with the path of what the format cannot hold: in XML a date outside the years 1 to
    ///   9999, and more than 512 arrays and objects in each other.
    /// - Complexity: O(*n* log *n*) in the number of members, for sorting them.
    public func bytes(of value: EncodedFlagValue) throws(FlagValueError) -> [UInt8] {
        switch format {
        case .xml:
            var output = FlagXMLPropertyListOutput()
            return try output.document(value)
        case .binary:
            var output = FlagBinaryPropertyListOutput()
            return try output.document(value)
        }
    }

    /// The value as a property list.
    ///
    /// - Throws: ``FlagValueError`` as ``bytes(of:)`` does.
    public func data(of value: EncodedFlagValue) throws(FlagValueError) -> Data {
        Data(try bytes(of: value))
    }
}
