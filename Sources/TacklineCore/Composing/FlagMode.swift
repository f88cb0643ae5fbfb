/// Whether flags follow the whole chain or only what is on this machine.
public enum FlagMode: String, Sendable, Hashable, CaseIterable {
    /// Every provider of the chain is asked.
    case live
    /// Providers whose values come from elsewhere (``LiveFlagProvider``) are not asked.
    case local
}
