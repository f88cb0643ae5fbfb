/// The flags that match a filter, in the parts in which a user interface lists them.
///
/// Without search words, the parts are the pinned flags and then each section and nested collection that has flags, in
/// order. With search words, there is one part, best matches first.
public struct FlagsBrowserListing: Sendable, Hashable {
    /// Flags under one heading.
    public struct Part: Sendable, Hashable, Identifiable {
        /// The id of the section or group. The other parts have the ids `pinned` and `found`, which no section has.
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
    public init(
        of snapshot: FlagsBrowserSnapshot, matching filter: FlagsBrowserFilter = FlagsBrowserFilter(),
        search: FlagsBrowserSearch? = nil
    ) {
        let flags = search?.flags(matching: filter) ?? snapshot.flags(matching: filter)
        count = flags.count
        guard FlagsBrowserSearch.words(of: filter.text).isEmpty else {
            let title = flags.count == 1 ? "1 flag found" : "\(flags.count) flags found"
            let found = Part(id: "found", title: title, name: title, description: "", depth: 0, flags: flags)
            parts = flags.isEmpty ? [] : [found]
            return
        }
        parts = []
        let pinned = flags.filter(\.isPinned)
        if !pinned.isEmpty, !filter.isPinned {
            let title = FlagsBrowserText.pinned.rawValue
            parts.append(Part(id: "pinned", title: title, name: title, description: "", depth: 0, flags: pinned))
        }
        let byPlace = Dictionary(grouping: flags) { $0.group ?? $0.section }
        for section in snapshot.sections {
            func part(_ id: String, _ title: String, _ name: String, _ description: String, _ depth: Int) -> Part? {
                byPlace[id].map {
                    Part(id: id, title: title, name: name, description: description, depth: depth, flags: $0)
                }
            }
            if let part = part(section.id, section.title, section.title, section.description, 0) { parts.append(part) }
            let groups = Dictionary(section.groups.map { ($0.id, $0) }) { $1 }
            for group in section.groups {
                // Groups from another process may form a cycle.
                let path = Array(sequence(first: group) { $0.parent.flatMap { groups[$0] } }.prefix(64))
                let alone = path.prefix { $0.id == group.id || byPlace[$0.id] == nil }
                let title = ([section.title] + path.reversed().map(\.title)).joined(separator: " › ")
                let name = alone.reversed().map(\.title).joined(separator: " › ")
                if let part = part(group.id, title, name, group.description, path.count) { parts.append(part) }
            }
        }
    }
}
