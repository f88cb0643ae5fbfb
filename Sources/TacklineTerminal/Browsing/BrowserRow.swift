import TacklineBrowser

/// A row of the list.
enum BrowserRow: Hashable, Sendable {
    /// The heading of a part of the listing.
    case heading(String, description: String, depth: Int)
    /// A flag, with its index among the listed flags and the depth of its part.
    case flag(Int, depth: Int)

    var isFlag: Bool { if case .flag = self { true } else { false } }

    /// Returns a row for each heading and each flag of a listing. The flags are numbered in order.
    static func rows(of listing: FlagsBrowserListing) -> [BrowserRow] {
        var rows: [BrowserRow] = []
        var count = 0
        for part in listing.parts {
            rows.append(.heading(part.name, description: part.depth == 0 ? part.description : "", depth: part.depth))
            for _ in part.flags {
                rows.append(.flag(count, depth: part.depth))
                count += 1
            }
        }
        return rows
    }
}
