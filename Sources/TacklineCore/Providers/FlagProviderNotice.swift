/// What a provider tells its observers.
public enum FlagProviderNotice: Sendable, Hashable {
    /// These values changed together, in one commit.
    case changed([FlagProviderChange])
    /// Any value may have changed; the provider cannot say which.
    case reset
}
