/// A flag's value and where it came from.
public struct FlagResolution<Value: FlagValue>: Sendable {
    /// The value.
    public let value: Value
    /// Where it came from.
    public let source: FlagSource
    /// What the provider says about the value; `nil` where it says nothing (``DetailedFlagProvider``).
    public let details: FlagResolutionDetails?

    /// The name of the value; `nil` where no provider gave one.
    public var variant: String? { details?.variant }
    /// Why the provider gave the value; `nil` where it does not say.
    public var reason: FlagResolutionReason? { details?.reason }
    /// What the provider knows about the flag; empty where it says nothing.
    public var metadata: [String: EncodedFlagValue] { details?.metadata ?? [:] }

    package init(value: Value, source: FlagSource, details: FlagResolutionDetails? = nil) {
        self.value = value
        self.source = source
        self.details = details
    }
}

extension FlagResolution: Equatable where Value: Equatable {}
