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
    /// Makes the value from the neutral form, or throws if that is not exactly possible.
    ///
    /// - Throws: ``FlagValueError`` with what was expected and what was found. The next provider is then asked.
    init(encoded: EncodedFlagValue) throws(FlagValueError)

    /// The neutral form, from which ``init(encoded:)`` makes the same value.
    ///
    /// - Throws: ``FlagValueError`` where a hand-written `encode(to:)` throws, for a structure nested too deeply and
    ///   for a `URL` without a scheme; the other plain types never throw, and their own `encoded` says so.
    var encoded: EncodedFlagValue { get throws(FlagValueError) }

    /// Whether ``EncodedFlagValue/null`` is a value of the type. By default it is not, and a provider that holds null has
    /// no opinion.
    static var takesNull: Bool { get }
}

extension FlagValue {
    /// `false`.
    public static var takesNull: Bool { false }
}

/// A type that, inside of `Codable` types, is coded by its ``FlagValue`` conformance and not by its `Codable` one.
protocol PlainFlagValue: FlagValue {}

// MARK: The simplest types

extension EncodedFlagValue: FlagValue, PlainFlagValue {
    /// Takes anything as it is; an untyped text is read as JSON.
    ///
    /// - Throws: ``FlagValueError`` for an untyped text that is not JSON.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) { self = try encoded.parsedIfText(expecting: "JSON") }

    /// The value, unchanged.
    public var encoded: EncodedFlagValue { self }
}

extension Bool: FlagValue, PlainFlagValue {
    /// Takes a Boolean, or the untyped text `true`, `yes`, `on`, `1`, `false`, `no`, `off` or `0` in any case.
    ///
    /// - Throws: ``FlagValueError`` for anything else: the integer 1, the string "true", a text with blanks around it.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        switch encoded {
        case .bool(let value): self = value
        case .unparsed(let text):
            let words = ["true", "yes", "on", "1", "false", "no", "off", "0"]
            guard text.utf8.count <= 5, let place = words.firstIndex(of: text.lowercased()) else {
                throw FlagValueError(expected: "true, false, yes, no, on, off, 1 or 0", found: encoded)
            }
            self = place < 4
        default: throw FlagValueError(expected: "true or false", found: encoded)
        }
    }

    /// ``EncodedFlagValue/bool(_:)``.
    public var encoded: EncodedFlagValue { .bool(self) }
}

extension String: FlagValue, PlainFlagValue {
    /// Takes a string or an untyped text, which is kept as it is, blanks included.
    ///
    /// - Throws: ``FlagValueError`` for anything else, also for a number.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        guard let text = encoded.text else { throw FlagValueError(expected: "a string", found: encoded) }
        self = text
    }

    /// ``EncodedFlagValue/string(_:)``.
    public var encoded: EncodedFlagValue { .string(self) }
}

extension EncodedFlagValue {
    /// The content of a string or an untyped text; `nil` for other values.
    var text: String? {
        switch self {
        case .string(let text), .unparsed(let text): text
        default: nil
        }
    }
}

// MARK: Raw values

extension FlagValue where Self: RawRepresentable, RawValue: FlagValue {
    /// Takes what the raw value's type takes, if the type has a value with that raw value.
    ///
    /// - Throws: ``FlagValueError``, with the list of allowed values if the type is `CaseIterable`.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) { self = try Self.make(rawValueFrom: encoded) }

    /// The raw value's form.
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
    /// Takes what the raw value's type takes. The `Codable` conformance is not used.
    ///
    /// - Throws: ``FlagValueError``, with the list of allowed values if the type is `CaseIterable`.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) { self = try Self.make(rawValueFrom: encoded) }

    /// The raw value's form.
    public var encoded: EncodedFlagValue { get throws(FlagValueError) { try rawValue.encoded } }
}

extension FlagValueError {
    /// Returns the error with the values of the cases as what was expected, if the type is `CaseIterable` and the error
    /// is about the value as a whole.
    fileprivate func listing(casesOf type: any FlagValue.Type) -> FlagValueError {
        guard path.isEmpty, let type = type as? any CaseIterable.Type else { return self }
        let texts = FlagValueError.cases(of: type).compactMap { try? ($0 as? any FlagValue)?.encoded.description }
        guard !texts.isEmpty else { return self }
        let shown = 20
        var error = self
        error.expected = "one of " + texts.prefix(shown).joined(separator: ", ")
        if texts.count > shown { error.expected += " or \(texts.count - shown) more" }
        return error
    }

    private static func cases<Cases: CaseIterable>(of type: Cases.Type) -> [Any] { type.allCases.map { $0 } }
}

/// Something that has to hold between the values of flags, such as a `FlagConstraint` of `TacklineTargeting`.
public protocol FlagValueConstraint: Sendable {
    /// What has to hold, in words, for messages.
    var name: String { get }
    /// The keys of the flags that it is about. Behind a point there may be a member of a flag that is an object.
    var flagKeys: Set<String> { get }
    /// Whether it holds for values by key. A flag without a value is null.
    func holds(for values: [String: EncodedFlagValue]) -> Bool
}
