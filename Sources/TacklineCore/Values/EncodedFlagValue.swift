#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: `Data` and `Date` are cases of the neutral form.

/// The one neutral form in which a value crosses every boundary: files, servers, environments, snapshots.
///
/// `true`, `1` and `1.0` are three different values here and stay apart on the way through JSON and
/// property lists. Equality is by case and content: `.integer(1)` is not `.double(1)`, strings and keys that
/// differ in their Unicode normalisation are different, NaN equals itself and -0.0 is not 0.0.
public enum EncodedFlagValue: Sendable, Hashable {
    /// No value. For a flag that is not optional it means "no opinion".
    case null
    /// A truth value.
    case bool(Bool)
    /// A whole number. The payload covers `Int64` and `UInt64` with room to spare, so nothing wraps.
    case integer(Int128)
    /// A number with a fraction or an exponent.
    case double(Double)
    /// A text.
    case string(String)
    /// Bytes. JSON carries them as base64.
    case data(Data)
    /// A point in time. JSON carries it in the form of RFC 3339.
    case date(Date)
    /// An ordered list.
    case array([EncodedFlagValue])
    /// Named members, in no order.
    case object([String: EncodedFlagValue])
    /// A text without a type of its own, from an environment variable, an argument or a terminal: the flag's type
    /// decides how it is read.
    case unparsed(String)
}
