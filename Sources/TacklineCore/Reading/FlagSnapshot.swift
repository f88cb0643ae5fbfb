/// The values of all flags of a loader at one moment. It never changes.
///
/// A snapshot can be kept in a file (it is `Codable`), compared with another one, and put into a chain: it is a provider
/// that answers with the values that it holds.
public struct FlagSnapshot: Sendable, Equatable {
    /// A flag in the snapshot.
    public struct Entry: Sendable, Equatable {
        /// The value.
        public let value: EncodedFlagValue
        /// Where it came from.
        public let source: FlagSource

        /// Makes an entry.
        public init(value: EncodedFlagValue, source: FlagSource) {
            self.value = value
            self.source = source
        }
    }

    /// The flags by the text of their key.
    public let entries: [String: Entry]
    /// The separator of the keys.
    public let separator: String

    package init(entries: [String: Entry], separator: String) { (self.entries, self.separator) = (entries, separator) }

    /// Returns the value at a path, or `nil` if the loader had no such flag.
    public subscript(path: String) -> EncodedFlagValue? { entries[path]?.value }
}

extension FlagSnapshot: FlagDocumentProvider, ObservableFlagProvider {
    /// `snapshot`
    public var name: String { "snapshot" }

    /// Returns the value that the flag had.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? { entries[key.text]?.value }

    /// Does nothing: a snapshot never changes.
    public func observe(_ observer: FlagProviderObserver) {}

    /// The values by flat key.
    public var document: FlagDocument { FlagDocument(entries.mapValues(\.value)) }
}

/// What differs between two snapshots.
public struct FlagSnapshotDifference: Sendable, Equatable {
    /// One flag that differs.
    public struct Change: Sendable, Equatable {
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
    /// Returns what differs from an older snapshot. A change of the source alone is no difference.
    public func difference(from older: FlagSnapshot) -> FlagSnapshotDifference {
        let paths = Set(entries.keys).union(older.entries.keys)
        let changes = Array(paths).inOrder(of: { $0 }).compactMap { path -> FlagSnapshotDifference.Change? in
            let (old, new) = (older.entries[path], entries[path])
            guard old?.value != new?.value else { return nil }
            return FlagSnapshotDifference.Change(path: path, old: old, new: new)
        }
        return FlagSnapshotDifference(changes: changes)
    }
}

// MARK: Making one

extension FlagsLoader {
    /// Returns the values of all flags as of one moment.
    ///
    /// Values that a provider changed in one commit are read together. Providers that hand out all their values at once
    /// (``FlagDocumentProvider``) are asked once; the others key by key, which is repeated while they announce changes,
    /// up to 100 times. Computed values and providers that cannot tell changes are as of when they were asked. A flag
    /// whose value has no neutral form is left out.
    ///
    /// - Complexity: O(*n*) in the number of flags and values.
    public func snapshot() -> FlagSnapshot { core.snapshot() }
}

extension LoaderCore {
    /// See ``FlagsLoader/snapshot()``.
    fileprivate func snapshot() -> FlagSnapshot {
        var entries: [String: FlagSnapshot.Entry] = [:]
        for _ in 0..<100 {
            let before = board.changeCount
            let still = resolver.chain.still()
            let asksOthers = still.links.contains { !($0.provider is StillProvider) && $0.tellsChanges }
            // Once the documents are at hand, nothing that they hold can change any more.
            guard before == board.changeCount else { continue }
            entries = self.entries(of: still)
            if !asksOthers || before == board.changeCount { break }
        }
        if entries.isEmpty { entries = self.entries(of: resolver.chain.still()) }
        return FlagSnapshot(entries: entries, separator: index.configuration.pathSeparator)
    }

    private func entries(of chain: FlagChain) -> [String: FlagSnapshot.Entry] {
        var entries: [String: FlagSnapshot.Entry] = [:]
        entries.reserveCapacity(ordinals.count)
        for ordinal in ordinals {
            let text = index.keyPaths[ordinal].text
            let (value, source) = encodedResolution(of: ordinal, in: chain)
            if let value, entries[text] == nil { entries[text] = FlagSnapshot.Entry(value: value, source: source) }
        }
        return entries
    }
}

/// A provider's values at one moment.
private struct StillProvider: FlagProvider {
    let document: FlagDocument

    func value(for key: FlagKeyPath) -> EncodedFlagValue? { document.value(for: key) }
}

extension FlagChain {
    /// The chain with each provider that can hand out all its values replaced by those values.
    fileprivate func still() -> FlagChain {
        let links = links.map { link in
            guard let provider = link.provider as? any FlagDocumentProvider else { return link }
            return link.answering(by: StillProvider(document: provider.document))
        }
        return FlagChain(links: links, given: given, revision: revision)
    }
}
