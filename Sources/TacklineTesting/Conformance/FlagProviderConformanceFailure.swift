/// A rule that a provider broke.
public struct FlagProviderConformanceFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The rule that was broken.
    public let check: FlagProviderCheck
    /// A description of the expected and the actual behavior, with advice.
    public let message: String

    /// The rule and the message.
    public var description: String { "\(check): \(message)" }
}
