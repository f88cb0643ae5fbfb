/// A type that a flag can have.
///
/// `Bool`, the integer types, `Float`, `Double`, `Decimal`, `Duration`, `String`, `Data`, `Date`, `URL`, `UUID`,
/// optionals, arrays and dictionaries with `String` keys conform. To use an enum with a raw value, or a `Codable` type, declare the
/// conformance; no code is needed:
///
/// ```swift
/// import Tackline
///
/// enum Theme: String, FlagValue { case light, dark }
/// struct Limits: Codable, FlagValue { var attempts: Int }
///
/// struct Appearance: FlagCollectionProtocol {
///     @Flag(default: .light, description: "Color theme")
///     var theme: Theme
///
///     @Flag(default: Limits(attempts: 3), description: "Limits for signing in")
///     var limits: Limits
/// }
/// ```
///
/// A type with both a raw value and a `Codable` conformance is encoded as its raw value.
///
/// A conversion is exact, or the value is refused. It never clamps and never traps. The only exception is `Float`,
/// which rounds a decimal number such as 0.1 to the nearest `Float`.
public protocol FlagValue: Sendable {
    /// Creates a value from its neutral form.
    ///
    /// - Throws: ``FlagValueError`` if the exact conversion is not possible. The loader then asks the next provider.
    init(encoded: EncodedFlagValue) throws(FlagValueError)

    /// The neutral form of the value. Passing it to ``init(encoded:)`` creates an equal value.
    ///
    /// - Throws: ``FlagValueError`` for a `URL` without a scheme and a `Decimal` that is NaN, for a structure nested more than
    ///   ``EncodedFlagValue/maximumDepth`` levels deep, and for an error that a custom `encode(to:)` throws. The
    ///   other numbers, `Bool`, `String`, `Data`, `Date` and `UUID` never throw.
    var encoded: EncodedFlagValue { get throws(FlagValueError) }

    /// Whether the type accepts ``EncodedFlagValue/null``. The default is `false`.
    ///
    /// If it is `false`, a provider with null counts as one without a value, and the loader asks the next provider.
    static var takesNull: Bool { get }
}

extension FlagValue {
    /// `false`, the default for types that don't accept null.
    public static var takesNull: Bool { false }
}

// MARK: Basic types

extension EncodedFlagValue: FlagValue {
    /// Creates a copy of the value, or parses an unparsed text as JSON.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) { self = try encoded.parsed(expecting: "a value") }

    /// The value itself.
    public var encoded: EncodedFlagValue { self }

    /// Returns the value itself, or the result of parsing it as JSON if it is an unparsed text.
    ///
    /// - Parameter expected: The phrase for the error message, such as "an array".
    func parsed(expecting expected: String) throws(FlagValueError) -> EncodedFlagValue {
        guard case .unparsed(let text) = self else { return self }
        do { return try FlagJSONReader().read(text) } catch {
            throw FlagValueError(expected: "\(expected) in JSON", found: self, detail: error.description)
        }
    }

    /// The content of a string or an unparsed text, or `nil` for any other value.
    var text: String? {
        switch self {
        case .string(let text), .unparsed(let text): text
        default: nil
        }
    }
}

extension Bool: FlagValue {
    /// Creates a Boolean from an encoded Boolean, or from one of the unparsed texts `true`, `yes`, `on`, `1`, `false`,
    /// `no`, `off` and `0`, in upper, lower or mixed case.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        switch encoded {
        case .bool(let value): self = value
        case .unparsed(let text):
            let words = ["true", "yes", "on", "1", "false", "no", "off", "0"]
            guard text.utf8.count <= 5, let position = words.firstIndex(of: text.lowercased()) else {
                throw FlagValueError(expected: "true, false, yes, no, on, off, 1 or 0", found: encoded)
            }
            self = position < 4
        default: throw FlagValueError(expected: "true or false", found: encoded)
        }
    }

    /// The Boolean as ``EncodedFlagValue/bool(_:)``.
    public var encoded: EncodedFlagValue { .bool(self) }
}

extension String: FlagValue {
    /// Creates a string from an encoded string or an unparsed text. Spaces around the text are kept.
    ///
    /// A text with more than 30 combining marks in a row is refused, because comparing strings takes time proportional to
    /// the square of their number.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        guard let text = encoded.text, !text.hasLongRunOfMarks else {
            let expected = encoded.text == nil ? "a string" : "a string without long runs of combining marks"
            throw FlagValueError(expected: expected, found: encoded)
        }
        self = text
    }

    /// The string as ``EncodedFlagValue/string(_:)``.
    public var encoded: EncodedFlagValue { .string(self) }
}

// MARK: Raw values

extension FlagValue where Self: RawRepresentable, RawValue: FlagValue {
    /// Creates a value from the neutral form of its raw value. If the type is `CaseIterable`, the error for any other
    /// value lists the accepted ones.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) { self = try Self.make(rawValueFrom: encoded) }

    /// The neutral form of the raw value.
    public var encoded: EncodedFlagValue { get throws(FlagValueError) { try rawValue.encoded } }

    fileprivate static func make(rawValueFrom encoded: EncodedFlagValue) throws(FlagValueError) -> Self {
        let rawValue: RawValue
        do { rawValue = try RawValue(encoded: encoded) } catch { throw error.listing(casesOf: Self.self) }
        guard let value = Self(rawValue: rawValue) else {
            throw FlagValueError(expected: "a raw value of \(Self.self)", found: encoded).listing(casesOf: Self.self)
        }
        return value
    }
}

extension FlagValue where Self: RawRepresentable & Codable, RawValue: FlagValue {
    /// Creates a value from the neutral form of its raw value. The `Codable` conformance is not used.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) { self = try Self.make(rawValueFrom: encoded) }

    /// The neutral form of the raw value.
    public var encoded: EncodedFlagValue { get throws(FlagValueError) { try rawValue.encoded } }
}

extension FlagValueError {
    /// Returns a copy of the error whose ``expected`` lists the cases of `type`.
    ///
    /// Returns the error unchanged if the type is not `CaseIterable`, or if only a part of the value is refused.
    fileprivate func listing(casesOf type: any FlagValue.Type) -> FlagValueError {
        func cases<Cases: CaseIterable>(of type: Cases.Type) -> [EncodedFlagValue] {
            type.allCases.compactMap { try? ($0 as? any FlagValue)?.encoded }
        }
        guard path.isEmpty, let type = type as? any CaseIterable.Type else { return self }
        return FlagValueError(expected: EncodedFlagValue.phrase(forOneOf: cases(of: type)), found: found)
    }
}
