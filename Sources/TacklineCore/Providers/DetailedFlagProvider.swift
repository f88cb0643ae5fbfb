/// A provider that can name the variant of a value, the reason for it, and the flag's metadata.
///
/// ``FlagHandle/resolution()`` and ``FlagHandle/explain()`` show them; reading a flag does not ask for them.
public protocol DetailedFlagProvider: FlagProvider {
    /// Returns the value that ``FlagProvider/value(for:)`` would return at this moment, with its details.
    ///
    /// One call gives both, so that they belong together however often the provider changes meanwhile. It is a question and
    /// not a use: a provider that counts who was given which value does not count this one. Otherwise the rules of
    /// ``FlagProvider/value(for:)`` hold.
    func detailedValue(for key: FlagKeyPath) -> DetailedFlagValue
}

extension DetailedFlagProvider {
    /// Returns the details of the present answer, or `nil` where there are none.
    ///
    /// The value may have changed when you ask for it next; ``detailedValue(for:)`` gives both together.
    public func resolutionDetails(for key: FlagKeyPath) -> FlagResolutionDetails? {
        detailedValue(for: key).details
    }
}
