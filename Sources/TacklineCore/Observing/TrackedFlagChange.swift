/// A change of a flag of any type, as it waits for a consumer. It can stand for several.
struct TrackedFlagChange: Sendable {
    let loaded: LoadedFlags
    let ordinal: Int
    let old: TrackedFlagValue
    private(set) var new: TrackedFlagValue
    private(set) var source: FlagSource
    private(set) var mergedCount = 1

    init(loaded: LoadedFlags, ordinal: Int, old: TrackedFlagValue, new: TrackedFlagValue, source: FlagSource) {
        self.loaded = loaded
        self.ordinal = ordinal
        self.old = old
        self.new = new
        self.source = source
    }

    /// Changes of one flag can be merged.
    struct Identity: Hashable {
        let loaded: ObjectIdentifier
        let ordinal: Int
    }

    var identity: Identity { Identity(loaded: ObjectIdentifier(loaded), ordinal: ordinal) }

    /// Whether the value is the same before and after.
    var isEmpty: Bool { old.isSame(as: new) }

    /// Takes a later change in.
    mutating func merge(_ later: TrackedFlagChange) {
        new = later.new
        source = later.source
        mergedCount += later.mergedCount
    }
}
