/// What a refresh came to.
public enum FlagRefreshOutcome: Sendable, Hashable {
    /// The values at these keys are different now. A removed value counts.
    case changed(Set<FlagKeyPath>)
    /// The source had nothing new.
    case unchanged
    /// There is something new, which waits to be activated; the values in force are the same.
    case staged
}
