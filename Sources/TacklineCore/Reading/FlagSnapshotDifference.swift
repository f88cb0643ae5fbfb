/// What differs between two snapshots.
public struct FlagSnapshotDifference: Sendable, Hashable {
    /// One flag that differs.
    public struct Change: Sendable, Hashable {
        /// The flag's key as text.
        public let path: String
        /// The flag before, or `nil` if there was none.
        public let old: FlagSnapshot.Entry?
        /// The flag now, or `nil` if there is none.
        public let new: FlagSnapshot.Entry?
    }

    /// The flags whose values differ, or that only one of the snapshots has, by key.
    public let changes: [Change]

    /// Whether the snapshots hold the same values.
    public var isEmpty: Bool { changes.isEmpty }
}

extension FlagSnapshotDifference: CustomStringConvertible {
    /// A line for each flag: `secrets/boom_feature: false → true (provider "overrides")`.
    public var description: String {
        changes.map { change in
            let old = change.old.map { "\($0.value)" } ?? "no flag"
            let new = change.new.map { "\($0.value) (\($0.source))" } ?? "no flag"
            return "\(change.path): \(old) → \(new)"
        }.joined(separator: "\n")
    }
}

extension FlagSnapshot {
    /// Returns what differs from an older snapshot. A value that only comes from elsewhere now is no difference.
    public func difference(from older: FlagSnapshot) -> FlagSnapshotDifference {
        let paths = Set(entries.keys).union(older.entries.keys)
        let changes = paths.sorted().compactMap { path -> FlagSnapshotDifference.Change? in
            let old = older.entries[path]
            let new = entries[path]
            guard old?.value != new?.value else { return nil }
            return FlagSnapshotDifference.Change(path: path, old: old, new: new)
        }
        return FlagSnapshotDifference(changes: changes)
    }
}
