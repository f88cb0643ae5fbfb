/// The mark of a provider whose values somebody set for themselves, to try something out.
///
/// A loader or a manager in production leaves such a provider out of its chain, whichever way it was handed over, and
/// reports that (``FlagIssue/Code/overrideRefused``). What counts as production is
/// detected, unless the chain was composed for a deployment environment.
public protocol FlagOverrideProvider: FlagProvider {}
