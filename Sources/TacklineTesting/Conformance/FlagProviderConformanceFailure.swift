/// A rule that a provider broke.
public struct FlagProviderConformanceFailure: Error, Sendable, Hashable {
    /// The rule that was broken.
    public let check: FlagProviderCheck
    /// What was expected, what was seen, and what to look at.
    public let message: String
}

extension FlagProviderConformanceFailure: CustomStringConvertible {
    /// The rule and the message.
    public var description: String { "\(check): \(message)" }
}
