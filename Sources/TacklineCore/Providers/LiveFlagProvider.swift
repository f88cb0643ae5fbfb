/// The mark of a provider whose values come from elsewhere while the program runs: a server, a vendor's SDK.
///
/// In ``FlagMode/local`` nobody asks it. Everything that does not carry the mark (memory, files, configurations in code,
/// overrides, the process environment) is local. Every ``RefreshableFlagProvider`` carries it.
public protocol LiveFlagProvider: FlagProvider {}
