/// The mark of a provider whose values somebody set for themselves, to try something out.
///
/// A loader or a manager in production leaves such a provider out of its chain, whichever way it was handed over, and
/// reports that (``FlagIssue/Code/overrideRefused``). See ``FlagEnvironment``.
public protocol FlagOverrideProvider: FlagProvider {}

extension FlagIssue.Code {
    /// A provider that is marked as an override was left out of a chain in production.
    public static let overrideRefused = FlagIssue.Code("override-refused")
}
