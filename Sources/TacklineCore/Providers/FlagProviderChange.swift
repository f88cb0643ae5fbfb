/// One changed value of a provider.
public struct FlagProviderChange: Sendable, Hashable {
    /// Where the value stands.
    ///
    /// It may lead to several flags, as when an object is replaced by a text, or into the value of one.
    public var key: FlagKeyPath
    /// The value before, or `nil` if there was none.
    public var old: EncodedFlagValue?
    /// The value now, or `nil` if there is none. Never equal to ``old``.
    public var new: EncodedFlagValue?

    /// Makes a change.
    public init(key: FlagKeyPath, old: EncodedFlagValue?, new: EncodedFlagValue?) {
        self.key = key
        self.old = old
        self.new = new
    }
}
