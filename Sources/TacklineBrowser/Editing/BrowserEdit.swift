import TacklineCore
import TacklineOverrides

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: the moment at which an override ends.

/// What a provider holds for a flag.
struct HeldValue: Sendable, Hashable {
    /// `nil` if it holds nothing.
    var value: EncodedFlagValue?
    /// When it ends by itself; `nil` for never.
    var expires: Date?

    /// Asks a provider.
    init(of flag: UntypedFlagHandle, in provider: any FlagProvider) {
        let key = flag.keyPath
        value = flag.hasGroup(in: provider) ? nil : provider.value(for: key)
        guard value != nil, let overrides = provider as? FlagOverrides else { return }
        expires = overrides.overrides.first { $0.key == key }?.expires
    }
}

/// An edit that was made, so that it can be undone.
struct BrowserEdit: Sendable {
    struct Item: Sendable {
        let flag: FlagsBrowserFlag.ID
        let handle: UntypedFlagHandle
        let destination: String
        let before: HeldValue
        let after: HeldValue
    }

    /// What was done, for people, without a full stop.
    let title: String
    /// In the order of the writes.
    var items: [Item]
    /// The number; 0 until the edit is remembered.
    var id = 0
    var author: FlagsBrowserAuthor?
    var time = Date(timeIntervalSinceReferenceDate: 0)
    var isUndone = false

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

extension [BrowserEdit] {
    /// What an undo of somebody would take back.
    func lastUndo(of author: String?) -> FlagsBrowserUndo? {
        let own = filter { $0.author?.id == author && !$0.isUndone }
        return own.last.map { FlagsBrowserUndo(title: $0.title, flags: $0.items.map(\.flag), count: own.count) }
    }
}
