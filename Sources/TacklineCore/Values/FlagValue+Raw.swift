extension EncodedFlagValue: FlagValue {
    /// Takes anything as it is; an untyped text is read as JSON.
    ///
    /// - Throws: ``FlagValueError`` for an untyped text that is not JSON.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        self = try encoded.parsedIfText(expecting: "JSON")
    }

    /// The value itself.
    public var encoded: EncodedFlagValue { self }

    /// The value itself, or what an untyped text says in JSON.
    func parsedIfText(expecting expected: String) throws(FlagValueError) -> EncodedFlagValue {
        guard case .unparsed(let text) = self else { return self }
        do throws(FlagJSONError) {
            return try FlagJSONReader().read(text)
        } catch {
            let expected = expected == "JSON" ? expected : "\(expected) in JSON"
            throw FlagValueError(expected: expected, found: self, detail: error.description)
        }
    }
}
