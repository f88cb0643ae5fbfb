extension FlagValue where Self: RawRepresentable, RawValue: FlagValue {
    /// Takes what the raw value's type takes, if it is the raw value of something.
    ///
    /// - Throws: ``FlagValueError``, with the list of allowed values if the type is `CaseIterable`.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        self = try Self.make(rawValueFrom: encoded)
    }

    /// The raw value's form.
    public var encoded: EncodedFlagValue {
        get throws(FlagValueError) { try rawValue.encoded }
    }

    fileprivate static func make(rawValueFrom encoded: EncodedFlagValue) throws(FlagValueError) -> Self {
        let rawValue: RawValue
        do {
            rawValue = try RawValue(encoded: encoded)
        } catch {
            var error = error
            if error.path.isEmpty, let allowed = allowedValues { error.expected = allowed }
            throw error
        }
        guard let value = Self(rawValue: rawValue) else {
            throw FlagValueError(expected: allowedValues ?? "a raw value of \(Self.self)", found: encoded)
        }
        return value
    }

    /// "one of "light", "dark"", or `nil` if the cases are not known.
    private static var allowedValues: String? {
        guard let type = Self.self as? any CaseIterable.Type else { return nil }
        return allowedValues(of: type)
    }

    private static func allowedValues<Cases: CaseIterable>(of type: Cases.Type) -> String? {
        let shown = 20
        let texts = type.allCases.prefix(shown).compactMap { ($0 as? Self).flatMap { try? $0.rawValue.encoded } }
            .map { $0.description }
        guard !texts.isEmpty else { return nil }
        let rest = type.allCases.count - shown
        return "one of " + texts.joined(separator: ", ") + (rest > 0 ? " or \(rest) more" : "")
    }
}

extension FlagValue where Self: RawRepresentable & Codable, RawValue: FlagValue {
    /// Takes what the raw value's type takes; being `Codable` as well changes nothing.
    ///
    /// - Throws: ``FlagValueError``, with the list of allowed values if the type is `CaseIterable`.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        self = try Self.make(rawValueFrom: encoded)
    }

    /// The raw value's form.
    public var encoded: EncodedFlagValue {
        get throws(FlagValueError) { try rawValue.encoded }
    }
}
