/// The rules that a provider broke.
public struct FlagProviderConformanceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Every failure, in the order of the checks. Never empty.
    public let failures: [FlagProviderConformanceFailure]

    /// A line for each failure.
    public var description: String {
        failures.map(\.description).joined(separator: "\n")
    }
}
