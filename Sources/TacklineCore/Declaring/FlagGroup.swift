/// A collection as a loader holds it: the root, or a nested one (`loader.$secrets`).
///
/// It keeps the heart of its loader alive. Cheap to copy, safe from any thread.
public struct FlagGroup: Sendable {
    /// `nil` for a collection that no loader constructed, or whose loader is gone. Such a group is empty.
    package let owner: (any FlagOwner)?
    /// The number among the nested collections; -1 for the root.
    package let ordinal: Int

    package init(owner: (any FlagOwner)?, ordinal: Int) {
        self.owner = owner
        self.ordinal = ordinal
    }
}
