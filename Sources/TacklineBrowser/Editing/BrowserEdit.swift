import TacklineCore
import TacklineOverrides

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: the moment at which an override ends.

/// The value that a provider holds for a flag.
struct HeldValue: Sendable, Hashable {
    /// The value, or `nil` if the provider holds none.
    var value: EncodedFlagValue?
    /// The time at which the value expires, or `nil` if it never does.
    var expires: Date?

    /// Reads the value of a flag from a provider.
    init(of flag: AnyFlagHandle, in provider: any FlagProvider) {
        let key = flag.keyPath
        value = flag.core.isGroup(flag.ordinal, of: provider) ? nil : provider.value(for: key)
        guard value != nil, let overrides = provider as? FlagOverrides else { return }
        expires = overrides.override(for: key)?.expires
    }

    /// Returns whether there was a value and it has expired.
    func hasEnded(at now: Date) -> Bool { value != nil && expires.map { $0 <= now } ?? false }

    /// Returns the same value if it has not expired, and no value otherwise.
    func remaining(at now: Date) -> HeldValue {
        var remaining = self
        if hasEnded(at: now) { (remaining.value, remaining.expires) = (nil, nil) }
        return remaining
    }
}

/// A value for a flag in a provider, or `nil` to remove the one that is there.
struct BrowserWrite: Sendable {
    var target: BrowserTarget
    var destination: BrowserDestination
    var value: EncodedFlagValue?
    /// The time at which the value expires, or `nil` if it never does.
    var expires: Date?
}

/// An edit that was made, so that it can be undone.
struct BrowserEdit: Sendable {
    struct Item: Sendable {
        let flag: FlagsBrowserFlag.ID
        let handle: AnyFlagHandle
        let destination: String
        let before: HeldValue
        let after: HeldValue
        /// Whether the value was undone.
        var isUndone = false
    }

    /// A description of the edit for people, without a full stop.
    let title: String
    /// The written values, in the order of the writes.
    var items: [Item]
    /// The number of the edit; 0 until the edit is recorded.
    var id = 0
    var author: FlagsBrowserAuthor?
    var time = Date(timeIntervalSinceReferenceDate: 0)
    /// Whether all of it has been undone. An undo that failed may have undone a part.
    var isUndone: Bool { items.allSatisfy(\.isUndone) }

    init(title: String, items: [Item], author: FlagsBrowserAuthor?) {
        self.title = title
        self.items = items
        self.author = author
    }

    var description: FlagsBrowserEdit {
        FlagsBrowserEdit(
            id: id, title: title, flags: items.map(\.flag), time: time, author: author, isUndone: isUndone)
    }
}

extension BrowserEdit.Item {
    /// Creates the item for a value that was written.
    init(_ write: BrowserWrite, before: HeldValue) {
        self.init(
            flag: write.target.id, handle: write.target.entry.handle, destination: write.destination.id, before: before,
            after: HeldValue(of: write.target.entry.handle, in: write.destination.provider))
    }

    /// Returns whether a redo would write the value: it was undone, and it has not expired.
    func isRedoable(at now: Date) -> Bool { isUndone && !after.hasEnded(at: now) }
}

extension [BrowserEdit] {
    /// Returns the edit that an undo of the given author would take back, or `nil` if there is none.
    func lastUndo(of author: String?) -> FlagsBrowserUndo? {
        let own = filter { $0.author?.id == author && !$0.isUndone }
        return own.last.map { FlagsBrowserUndo(title: $0.title, flags: $0.items.map(\.flag), count: own.count) }
    }
}
