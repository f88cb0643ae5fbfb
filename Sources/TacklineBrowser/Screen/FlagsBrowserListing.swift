/// The flags that a filter lets through, in the parts in which a face lists them.
///
/// Without words to look for: the pinned flags first, then each section and each nested collection that has any, in their
/// order. With words, one part, the best fits first.
public struct FlagsBrowserListing: Sendable, Hashable {
    /// Flags under one heading.
    public struct Part: Sendable, Hashable, Identifiable {
        /// The id of the section or group; `pinned` and `found` for the others, which no section is called.
        public var id: String
        /// The heading.
        public var title: String
        /// What the collection is for; may be empty.
        public var description: String
        /// How many collections are around it.
        public var depth: Int
        /// The flags. There is at least one.
        public var flags: [FlagsBrowserFlag]
    }

    /// The parts, in their order.
    public var parts: [Part]

    /// How many flags there are; a pinned one counts once.
    public var count: Int

    /// Makes the parts.
    ///
    /// - Parameters:
    ///   - snapshot: The snapshot.
    ///   - filter: What is let through.
    ///   - search: The prepared flags of that same snapshot, for a face that searches it again and again; `nil` to prepare
    ///     them.
    public init(
        of snapshot: FlagsBrowserSnapshot, matching filter: FlagsBrowserFilter = FlagsBrowserFilter(),
        search: FlagsBrowserSearch? = nil
    ) {
        let flags = search?.flags(matching: filter) ?? snapshot.flags(matching: filter)
        count = flags.count
        guard FlagsBrowserSearch.words(of: filter.text).isEmpty else {
            let title = flags.count == 1 ? "1 flag found" : "\(flags.count) flags found"
            parts = flags.isEmpty ? [] : [Part(id: "found", title: title, description: "", depth: 0, flags: flags)]
            return
        }
        parts = []
        let pinned = flags.filter(\.isPinned)
        if !pinned.isEmpty, !filter.isPinned {
            parts.append(Part(id: "pinned", title: "Pinned", description: "", depth: 0, flags: pinned))
        }
        let byPlace = Dictionary(grouping: flags) { $0.group ?? $0.section }
        for section in snapshot.sections {
            if let flags = byPlace[section.id] {
                parts.append(
                    Part(
                        id: section.id, title: section.title, description: section.description, depth: 0,
                        flags: flags))
            }
            for group in section.groups {
                guard let flags = byPlace[group.id] else { continue }
                parts.append(
                    Part(
                        id: group.id, title: "\(section.title) › \(Self.title(of: group, in: section))",
                        description: group.description, depth: group.depth + 1, flags: flags))
            }
        }
    }

    /// The titles of a group and the groups around it.
    private static func title(of group: FlagsBrowserGroup, in section: FlagsBrowserSection) -> String {
        var titles = [group.title]
        var parent = group.parent
        while let id = parent, titles.count <= section.groups.count {
            guard let outer = section.groups.first(where: { $0.id == id }) else { break }
            titles.insert(outer.title, at: 0)
            parent = outer.parent
        }
        return titles.joined(separator: " › ")
    }
}
