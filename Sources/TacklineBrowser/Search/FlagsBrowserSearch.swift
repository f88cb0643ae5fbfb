/// A search index of a snapshot.
///
/// A flag is found if each word occurs in its name, key, tags, owner, value or description. Case, accents and character
/// width are ignored. Results are ranked by the place of the word: the whole name or key, its beginning, the beginning
/// of a word in it, anywhere in it, a tag, the owner, the value, the description. With several words, the worst place
/// counts. Equal results keep their order.
///
/// Creating an index processes every flag, so keep it while somebody types.
public struct FlagsBrowserSearch: Sendable {
    /// The snapshot. Another one with the same flags may take its place.
    var snapshot: FlagsBrowserSnapshot
    private let texts: [SearchableTexts]

    /// Creates an index of the flags of a snapshot.
    ///
    /// - Complexity: O(*n*) in the number of flags and the length of their texts. At most 4,096 Unicode
    ///   scalars of each text are searched.
    public init(_ snapshot: FlagsBrowserSnapshot) {
        self.snapshot = snapshot
        texts = snapshot.flags.map { SearchableTexts($0) }
    }

    /// Returns the flags that match a filter, in its order.
    public func flags(matching filter: FlagsBrowserFilter) -> [FlagsBrowserFlag] {
        places(matching: filter).map { snapshot.flags[$0] }
    }

    /// Returns the places in the snapshot of the flags that match a filter, in its order.
    func places(matching filter: FlagsBrowserFilter) -> [Int] {
        let words = FlagsBrowserSearch.words(of: filter.text)
        guard !words.isEmpty else { return snapshot.places(matching: filter) }
        var found: [[Int]] = Array(repeating: [], count: SearchableTexts.worstRank + 1)
        for place in texts.indices where filter.admits(snapshot.flags[place]) {
            if let rank = texts[place].rank(of: words) { found[rank].append(place) }
        }
        return snapshot.ordered(filter.order == .declared ? found.flatMap(\.self) : found.joined().sorted(), by: filter)
    }

    /// Returns the folded words of a search text, at most 16.
    static func words(of text: String) -> [FoldedBytes] {
        FoldedText.fold(text).split(maxSplits: 16, whereSeparator: \.isWhitespace).prefix(16)
            .map { FoldedBytes(folded: String($0)) }
    }
}

extension FlagsBrowserSnapshot {
    /// Returns the flags that match a filter, in its order. To search a snapshot repeatedly, use
    /// ``FlagsBrowserSearch``.
    public func flags(matching filter: FlagsBrowserFilter) -> [FlagsBrowserFlag] {
        places(matching: filter).map { flags[$0] }
    }

    /// Returns the places of the flags that match a filter, in its order.
    func places(matching filter: FlagsBrowserFilter) -> [Int] {
        guard FlagsBrowserSearch.words(of: filter.text).isEmpty else {
            return FlagsBrowserSearch(self).places(matching: filter)
        }
        return ordered(
            filter.isEmpty ? Array(flags.indices) : flags.indices.filter { filter.admits(flags[$0]) }, by: filter)
    }

    /// Returns places in the order of a filter. Equal ones keep their order.
    fileprivate func ordered(_ places: [Int], by filter: FlagsBrowserFilter) -> [Int] {
        func sorted<Value: Comparable>(by value: (FlagsBrowserFlag) -> Value) -> [Int] {
            places.map { (value(flags[$0]), $0) }.sorted { $0 < $1 }.map(\.1)
        }
        switch filter.order {
        case .declared: return places
        case .name: return sorted { FoldedText.naturalOrder(of: $0.name) }
        case .key: return sorted { FoldedText.naturalOrder(of: $0.key) }
        case .lastChange:
            let latest = Dictionary(recentChanges.map { ($0.flag, $0.id) }) { max($0, $1) }
            return sorted { -(latest[$0.id] ?? 0) }
        }
    }
}

/// The folded texts of a flag that are searched.
private struct SearchableTexts: Sendable {
    /// The rank of a word in the description.
    static let worstRank = 8

    private let names: [FoldedBytes]
    private let tags: [FoldedBytes]
    private let owner: FoldedBytes?
    private let value: FoldedBytes
    private let description: FoldedBytes

    init(_ flag: FlagsBrowserFlag) {
        names = [flag.name, flag.key, flag.property].map { FoldedBytes($0) }
        tags = flag.metadata.tags.map { FoldedBytes($0) }
        owner = flag.metadata.owner.map { FoldedBytes($0) }
        value = FoldedBytes(flag.value.input ?? flag.value.text)
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
        return description.place(of: word) == nil ? nil : Self.worstRank
    }
}
