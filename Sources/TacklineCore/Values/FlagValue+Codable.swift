extension FlagValue where Self: Codable {
    /// Decodes the value with its `init(from:)`, directly from the neutral form.
    ///
    /// Booleans, numbers, strings, dates, data, URLs and UUIDs inside follow the rules of their ``FlagValue``
    /// conformance, everything else its own `Codable` conformance. Of an untyped text, a type that asks for members or
    /// elements reads it as JSON.
    ///
    /// - Throws: ``FlagValueError`` with the path of what is refused, also for a value nested more than 64 levels deep.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        self = try FlagValueDecoder.decode(Self.self, from: encoded)
    }

    /// Encodes the value with its `encode(to:)`, directly to the neutral form.
    ///
    /// - Throws: ``FlagValueError`` for what `encode(to:)` throws, and for a value nested more than 64 levels deep.
    public var encoded: EncodedFlagValue {
        get throws(FlagValueError) { try FlagValueEncoder.encode(self) }
    }
}
