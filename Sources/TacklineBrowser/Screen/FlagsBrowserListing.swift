/// The flags that match a filter, in the parts in which a user interface lists them.
///
/// Without search words, the parts are the pinned flags and then each section and nested collection that has flags, in
/// order. With search words, there is one part, best matches first. In another order, there is one part, too.
public struct FlagsBrowserListing: Sendable, Hashable {
    /// Flags under one heading.
    public struct Part: Sendable, Hashable, Identifiable {
        /// The id of the section or group. The other parts have the ids `pinned`, `found` and `all`, which no section
        /// has.
        public var id: String
        /// The heading.
        public var title: String
        /// The title without those of the collections around it that have parts of their own.
        public var name: String
        /// The description of the collection; may be empty.
        public var description: String
        /// The number of collections around it.
        public var depth: Int
        /// The flags. There is at least one.
        public var flags: [FlagsBrowserFlag]
        /// The places of the flags in the snapshot.
        package var places: [Int]
    }

    /// The parts, in order.
    public var parts: [Part]

    /// The number of flags. A pinned flag counts once.
    public var count: Int

    /// Creates the parts.
    ///
    /// - Parameters:
    ///   - snapshot: The snapshot.
    ///   - filter: The filter that the flags must match.
    ///   - search: The search index of the same snapshot, for a caller that searches it repeatedly, or `nil` to build
    ///     one.
    ///   - repeatsPinned: Whether the pinned flags are also listed in a part of their own, before the others.
    public init(
        of snapshot: FlagsBrowserSnapshot, matching filter: FlagsBrowserFilter = FlagsBrowserFilter(),
        search: FlagsBrowserSearch? = nil, repeatsPinned: Bool = true
    ) {
        let places = search?.places(matching: filter) ?? snapshot.places(matching: filter)
        count = places.count
        parts = []
        func add(
            _ places: [Int]?, _ id: String, _ title: String, name: String? = nil, description: String = "",
            depth: Int = 0
        ) {
            guard let places, !places.isEmpty else { return }
            parts.append(
                Part(
                    id: id, title: title, name: name ?? title, description: description, depth: depth,
                    flags: places.map { snapshot.flags[$0] }, places: places))
        }
        guard FlagsBrowserSearch.words(of: filter.text).isEmpty else {
            add(places, "found", count == 1 ? "1 flag found" : "\(count) flags found")
            return
        }
        guard filter.order == .declared else {
            add(places, "all", FlagsBrowserText.allFlags.rawValue)
            return
        }
        if repeatsPinned, !filter.isPinned {
            add(places.filter { snapshot.flags[$0].isPinned }, "pinned", FlagsBrowserText.pinned.rawValue)
        }
        let byGroup = Dictionary(grouping: places) { snapshot.flags[$0].group ?? snapshot.flags[$0].section }
        for section in snapshot.sections {
            add(byGroup[section.id], section.id, section.title, description: section.description)
            let groups = Dictionary(section.groups.map { ($0.id, $0) }) { $1 }
            for group in section.groups {
                // Groups from another process may form a cycle.
                let path = Array(sequence(first: group) { $0.parent.flatMap { groups[$0] } }.prefix(64))
                let alone = path.prefix { $0.id == group.id || byGroup[$0.id] == nil }
                let title = ([section.title] + path.reversed().map(\.title)).joined(separator: " › ")
                let name = alone.reversed().map(\.title).joined(separator: " › ")
                add(
                    byGroup[group.id], group.id, title, name: name, description: group.description, depth: path.count)
            }
        }
    }
}
