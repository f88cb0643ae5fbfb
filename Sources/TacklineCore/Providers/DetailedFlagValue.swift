/// A provider's answer with what it can say about it.
public struct DetailedFlagValue: Sendable, Hashable {
    /// The value, or `nil` where the provider has no opinion.
    public var value: EncodedFlagValue?
    /// What belongs to this very answer; `nil` where the provider has nothing to say about it.
    public var details: FlagResolutionDetails?

    /// Makes an answer.
    public init(value: EncodedFlagValue?, details: FlagResolutionDetails? = nil) {
        self.value = value
        self.details = details
    }
}
