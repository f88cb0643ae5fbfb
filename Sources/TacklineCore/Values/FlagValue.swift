/// A type that a flag can have.
///
/// `Bool`, the integers, `Float`, `Double`, `String`, `Data`, `Date`, `URL`, `UUID`, optionals, arrays and
/// string-keyed dictionaries conform already. An enum with a raw value, or any `Codable` type, conforms by adding the
/// empty conformance:
///
/// ```swift
/// enum Theme: String, FlagValue { case light, dark }
/// struct Limits: Codable, FlagValue { var attempts: Int }
/// ```
///
/// A type with both a raw value and a `Codable` conformance is carried as its raw value. A conversion is exact or it is
/// refused; it never clamps or traps, and it rounds only where a `Float` takes the decimal that a person writes for it.
public protocol FlagValue: Sendable {
    /// Makes the value from the neutral form, exactly or not at all.
    ///
    /// - Throws: ``FlagValueError`` with what was expected and what was found. The provider's answer is then passed
    ///   over, and the next provider is asked.
    init(encoded: EncodedFlagValue) throws(FlagValueError)

    /// The neutral form. ``init(encoded:)`` makes the same value from it.
    ///
    /// - Throws: ``FlagValueError`` where a hand-written `encode(to:)` throws, for a structure nested too deeply and for
    ///   a `URL` without a scheme; the other plain types never throw, and their own `encoded` says so.
    var encoded: EncodedFlagValue { get throws(FlagValueError) }
}
