import TacklineCore

/// Finds words in the flags of a snapshot.
///
/// Each word has to be found in a flag's name, key, tags, owner or description, without regard to case, accents and
/// width. The order of what is found: the whole of a name or key, its beginning, the beginning of a word in it, anything
/// in it, a tag, the owner, the description; with several words, the worst place of them decides; equal ones stay as
/// they were.
///
/// Making it prepares every flag, so keep it while somebody types.
public struct FlagsBrowserSearch: Sendable {
    private let flags: [FlagsBrowserFlag]
    private let texts: [SearchableTexts]

    /// Prepares the flags of a snapshot.
    ///
    /// - Complexity: O(*n*) in the number of flags and the length of their texts, of each of which 4 KiB are searched.
    public init(_ flags: [FlagsBrowserFlag]) {
        self.flags = flags
        texts = flags.map { SearchableTexts($0) }
    }

    /// Returns the flags that a filter lets through: those that fit its words best first, or all in the order of the
    /// snapshot if it has no words.
    public func flags(matching filter: FlagsBrowserFilter) -> [FlagsBrowserFlag] {
        let words = FlagsBrowserSearch.words(of: filter.text)
        var found: [(rank: Int, index: Int)] = []
        for (index, flag) in flags.enumerated() where filter.admits(flag) {
            if let rank = texts[index].rank(of: words) { found.append((rank, index)) }
        }
        if !words.isEmpty { found.sort { ($0.rank, $0.index) < ($1.rank, $1.index) } }
        return found.map { flags[$0.index] }
    }

    /// The words of a search, folded. At most 16 are looked for.
    static func words(of text: String) -> [FoldedBytes] {
        FoldedText.fold(text).split(maxSplits: 16, whereSeparator: \.isWhitespace).prefix(16)
            .map { FoldedBytes(folded: String($0)) }
    }
}

extension FlagsBrowserSnapshot {
    /// Returns the flags that a filter lets through, in the order of ``FlagsBrowserSearch``.
    public func flags(matching filter: FlagsBrowserFilter) -> [FlagsBrowserFlag] {
        if filter.text.isEmpty { return flags.filter { filter.admits($0) } }
        return FlagsBrowserSearch(flags).flags(matching: filter)
    }
}

extension FlagsBrowserFilter {
    /// Whether a flag passes everything but the words.
    func admits(_ flag: FlagsBrowserFlag) -> Bool {
        if isOverridden, !flag.isOverridden { return false }
        if isChangedFromDefault, !flag.isChangedFromDefault { return false }
        if isExpired, !flag.isExpired { return false }
        if isPinned, !flag.isPinned { return false }
        if !controls.isEmpty, !controls.contains(flag.control.kind) { return false }
        guard !providers.isEmpty else { return true }
        if case .provider(let id) = flag.source { return providers.contains(id) }
        return false
    }
}

/// What is searched of a flag, folded, as UTF-8.
private struct SearchableTexts: Sendable {
    private let names: [FoldedBytes]
    private let tags: [FoldedBytes]
    private let owner: FoldedBytes?
    private let description: FoldedBytes

    init(_ flag: FlagsBrowserFlag) {
        names = [flag.name, flag.key, flag.property].map { FoldedBytes($0) }
        tags = flag.metadata.tags.map { FoldedBytes($0) }
        owner = flag.metadata.owner.map { FoldedBytes($0) }
        description = FoldedBytes(flag.description)
    }

    /// The worst place in which one of the words is found; `nil` if one is not.
    func rank(of words: [FoldedBytes]) -> Int? {
        var worst = 0
        for word in words {
            guard let rank = rank(of: word) else { return nil }
            worst = max(worst, rank)
        }
        return worst
    }

    private func rank(of word: FoldedBytes) -> Int? {
        if let rank = names.compactMap({ $0.place(of: word)?.rawValue }).min() { return rank }
        if tags.contains(where: { $0.place(of: word) == .whole }) { return 4 }
        if tags.contains(where: { $0.place(of: word) != nil }) { return 5 }
        if owner?.place(of: word) != nil { return 6 }
        return description.place(of: word) == nil ? nil : 7
    }
}
