#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: `Date` says since when a value is held.

/// A value that is fixed for a while.
struct FlagHold<Value: FlagValue>: Sendable {
    let value: Value
    let encoded: EncodedFlagValue?
    let source: FlagSource
    let details: FlagResolutionDetails?
    let since: Date
    /// The period in which it was fixed. See ``FlagHoldPeriods``.
    let period: UInt64
}
