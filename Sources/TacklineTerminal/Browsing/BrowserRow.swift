import TacklineBrowser

/// A row of the list.
enum BrowserRow: Hashable, Sendable {
    /// The heading of a root collection.
    case section(FlagsBrowserSection)
    /// The heading of a nested collection.
    case group(FlagsBrowserGroup)
    /// A flag, by its place among those that are listed, and how many headings it is under.
    case flag(Int, depth: Int)

    /// Lays flags out under the headings of their collections. Headings without flags are left out.
    ///
    /// - Parameter flags: In the order of the snapshot.
    static func rows(of flags: [FlagsBrowserFlag], in snapshot: FlagsBrowserSnapshot) -> [BrowserRow] {
        var sections: [String: FlagsBrowserSection] = [:]
        var groups: [String: FlagsBrowserGroup] = [:]
        for section in snapshot.sections {
            sections[section.id] = section
            for group in section.groups { groups[group.id] = group }
        }
        var rows: [BrowserRow] = []
        var section: String?
        // The groups whose headings stand above, from the outermost.
        var open: [String] = []
        for (index, flag) in flags.enumerated() {
            if flag.section != section {
                section = flag.section
                open = []
                if let heading = sections[flag.section] { rows.append(.section(heading)) }
            }
            let path = Self.path(of: flag.group, in: groups)
            if path.map(\.id) != open {
                let common = zip(path, open).prefix { $0.id == $1 }.count
                for group in path[common...] { rows.append(.group(group)) }
                open = path.map(\.id)
            }
            rows.append(.flag(index, depth: path.count))
        }
        return rows
    }

    private static func path(of id: String?, in groups: [String: FlagsBrowserGroup]) -> [FlagsBrowserGroup] {
        var path: [FlagsBrowserGroup] = []
        var next = id
        // What comes over a wire may name groups in a circle.
        while let id = next, let group = groups[id], path.count < 64 {
            path.append(group)
            next = group.parent
        }
        return path.reversed()
    }
}
