import TacklineCore

/// A search index of the flags of a snapshot.
///
/// A flag is found if each word occurs in its name, key, tags, owner, value or description. Case, accents and character
/// width are ignored. Results are ranked by the place of the word: the whole name or key, its beginning, the beginning
/// of a word in it, anywhere in it, a tag, the owner, the value, the description. With several words, the worst place
/// counts. Equal results keep their order.
///
/// Creating an index processes every flag, so keep it while somebody types.
public struct FlagsBrowserSearch: Sendable {
    private let flags: [FlagsBrowserFlag]
    private let texts: [SearchableTexts]

    /// Creates an index of the flags of a snapshot.
    ///
    /// - Complexity: O(*n*) in the number of flags and the length of their texts. At most 4,096 Unicode
    ///   scalars of each text are searched.
    public init(_ flags: [FlagsBrowserFlag]) {
        self.flags = flags
        texts = flags.map { SearchableTexts($0) }
    }

    /// Returns the flags that match a filter. If the filter has words, the best matches come first; otherwise the flags
    /// keep the order of the snapshot.
    public func flags(matching filter: FlagsBrowserFilter) -> [FlagsBrowserFlag] {
        let words = FlagsBrowserSearch.words(of: filter.text)
        var found: [(rank: Int, index: Int)] = []
        for (index, flag) in flags.enumerated() where filter.admits(flag) {
            if let rank = texts[index].rank(of: words) { found.append((rank, index)) }
        }
        if !words.isEmpty { found.sort { ($0.rank, $0.index) < ($1.rank, $1.index) } }
        return found.map { flags[$0.index] }
    }

    /// Returns the folded words of a search text, at most 16.
    static func words(of text: String) -> [FoldedBytes] {
        FoldedText.fold(text).split(maxSplits: 16, whereSeparator: \.isWhitespace).prefix(16)
            .map { FoldedBytes(folded: String($0)) }
    }
}

extension FlagsBrowserSnapshot {
    /// Returns the flags that match a filter, in the order of ``FlagsBrowserSearch``.
    public func flags(matching filter: FlagsBrowserFilter) -> [FlagsBrowserFlag] {
        if filter.text.isEmpty { return flags.filter { filter.admits($0) } }
        return FlagsBrowserSearch(flags).flags(matching: filter)
    }
}

extension FlagsBrowserFilter {
    /// Returns whether a flag meets all conditions except the words.
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

/// The folded texts of a flag that are searched.
private struct SearchableTexts: Sendable {
    private let names: [FoldedBytes]
    private let tags: [FoldedBytes]
    private let owner: FoldedBytes?
    private let value: FoldedBytes
    private let description: FoldedBytes

    init(_ flag: FlagsBrowserFlag) {
        names = [flag.name, flag.key, flag.property].map { FoldedBytes($0) }
        tags = flag.metadata.tags.map { FoldedBytes($0) }
        owner = flag.metadata.owner.map { FoldedBytes($0) }
        value = FoldedBytes(flag.value.text)
        description = FoldedBytes(flag.description)
    }

    /// Returns the worst rank of the words, or `nil` if one of them is not found.
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
        if value.place(of: word) != nil { return 7 }
        return description.place(of: word) == nil ? nil : 8
    }
}
