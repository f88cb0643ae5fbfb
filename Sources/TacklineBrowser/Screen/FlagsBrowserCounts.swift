import TacklineCore

/// The numbers of flags in a snapshot that a list shows beside its filters and headings.
package struct FlagsBrowserCounts: Sendable {
    /// The numbers for a section or group, without the groups inside it.
    package struct Group: Sendable, Hashable, Codable {
        /// The id of the section or group.
        package var id: String
        /// The number of flags.
        package var flags = 0
        /// The number of flags that are overridden and can be reset.
        package var overridden = 0
    }

    /// The filters and orders that can apply, in the order of a menu, with the number of flags to which each applies.
    package private(set) var facets: [(facet: FlagsBrowserFacet, flags: Int)] = []
    /// The sections and groups that contain flags, in the order of the snapshot.
    package private(set) var groups: [Group] = []

    /// Counts.
    ///
    /// - Complexity: O(*n*) in the number of flags and their answers.
    package init(of snapshot: FlagsBrowserSnapshot) {
        var (overridden, changed, expired, pinned, refused) = (0, 0, 0, 0, 0)
        var sources: [FlagSource: Int] = [:]
        var differing: [String: Int] = [:]
        var kinds: [FlagsBrowserControl.Kind: Int] = [:]
        for flag in snapshot.flags {
            let place = flag.group ?? flag.section
            if groups.last?.id != place { groups.append(Group(id: place)) }
            groups[groups.count - 1].flags += 1
            if flag.isOverridden {
                overridden += 1
                if flag.isEditable { groups[groups.count - 1].overridden += 1 }
            }
            if flag.isChangedFromDefault { changed += 1 }
            if flag.isExpired { expired += 1 }
            if flag.isPinned { pinned += 1 }
            sources[flag.source, default: 0] += 1
            kinds[flag.control.kind, default: 0] += 1
            var isRefused = false
            for answer in flag.answers where answer.outcome != .absent {
                if answer.outcome == .refused { isRefused = true }
                if flag.differs(from: answer) { differing[answer.provider, default: 0] += 1 }
            }
            if isRefused { refused += 1 }
        }
        facets = [(.overridden, overridden), (.changedFromDefault, changed), (.expired, expired), (.pinned, pinned)]
        if refused > 0 { facets.append((.refused, refused)) }
        let providers = snapshot.providers.map(\.id)
        for source in providers.map(FlagSource.provider) { facets.append((.source(source), sources[source] ?? 0)) }
        for source in [FlagSource.scope, .computed, .default] {
            if let count = sources[source] { facets.append((.source(source), count)) }
        }
        for provider in providers {
            if let count = differing[provider] { facets.append((.differs(from: provider), count)) }
        }
        for kind in FlagsBrowserControl.Kind.allCases {
            if let count = kinds[kind] { facets.append((.control(kind), count)) }
        }
        for order in FlagsBrowserFilter.Order.allCases.dropFirst() {
            facets.append((.order(order), snapshot.flags.count))
        }
    }
}
