/// A flag's value and where it came from.
public struct FlagResolution<Value: FlagValue>: Sendable {
    /// The value.
    public let value: Value
    /// Where it came from.
    public let source: FlagSource

    package init(value: Value, source: FlagSource) {
        self.value = value
        self.source = source
    }
}

extension FlagResolution: Equatable where Value: Equatable {}
