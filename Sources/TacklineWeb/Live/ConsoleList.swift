#if Web
    import TacklineBrowser
    import TacklineCore

    /// A page's question for its list.
    struct ConsoleListRequest: Sendable, Codable, FlagValue {
        var filter: FlagsBrowserFilter
        /// Whether the page needs everything, because it has just been opened or has lost a part.
        var isWhole: Bool?
        /// Whether the page waits for the first snapshot. Otherwise it may get a list without filters before.
        var waits: Bool?
        /// The ids of flags that the page also shows; unknown ones are ignored.
        var flags: [String]?
    }

    /// A page's list: the flags that match its filter, in groups and in order, with the numbers beside filters and
    /// headings.
    struct ConsoleList: Sendable, Codable, FlagValue {
        /// Flags under one heading.
        struct Part: Sendable, Codable {
            var id: String
            var title: String
            /// The places of the flags among all ids, such as `0-9,12`. A range includes both ends.
            var places: String
        }

        /// A filter that can apply to flags, or an order, and the number of flags to which it does.
        struct Facet: Sendable, Codable {
            var kind: String
            var source: FlagSource?
            var provider: String?
            var control: FlagsBrowserControl.Kind?
            var order: FlagsBrowserFilter.Order?
            var flags: Int
        }

        /// The version of the flags, which rises with every change.
        var version: Int
        /// A text that stands for the ids of all flags and their order, in this program.
        var layout: String
        var parts: [Part]
        var groups: [FlagsBrowserCounts.Group]
        var facets: [Facet]
        /// The flags that the page asked for, and those at the beginning of the list.
        var flags: [FlagsBrowserFlag]
        /// Whether the snapshot isn't there yet, so that the page asks again: it can't be filtered, and other flags have no
        /// values.
        var isPreliminary: Bool?
        /// For a page that needs everything: the snapshot without its flags, and the ids of all flags in order.
        var snapshot: FlagsBrowserSnapshot?
        var ids: [String]?

        init(
            of listing: FlagsBrowserListing, counts: FlagsBrowserCounts, version: Int, layout: Int,
            flags: [FlagsBrowserFlag]
        ) {
            self.version = version
            self.layout = "\(layout)"
            self.flags = flags
            parts = listing.parts.map { Part(id: $0.id, title: $0.title, places: Self.text(of: $0.places)) }
            groups = counts.groups
            facets = counts.facets.map { Facet($0.facet, flags: $0.flags) }
        }

        /// Returns places as a text, with neighbours as a range.
        static func text(of places: [Int]) -> String {
            var text = ""
            var index = 0
            while index < places.count {
                let first = places[index]
                while index + 1 < places.count, places[index + 1] == places[index] + 1 { index += 1 }
                if !text.isEmpty { text += "," }
                text += "\(first)"
                if places[index] > first { text += "-\(places[index])" }
                index += 1
            }
            return text
        }
    }

    extension ConsoleList.Facet {
        init(_ facet: FlagsBrowserFacet, flags: Int) {
            self.flags = flags
            switch facet {
            case .overridden: kind = "isOverridden"
            case .changedFromDefault: kind = "isChangedFromDefault"
            case .expired: kind = "isExpired"
            case .pinned: kind = "isPinned"
            case .refused: kind = "isRefused"
            case .source(let source): (kind, self.source) = ("source", source)
            case .differs(let provider): (kind, self.provider) = ("differs", provider)
            case .control(let control): (kind, self.control) = ("control", control)
            case .order(let order): (kind, self.order) = ("order", order)
            }
        }
    }

    /// Flags that pages show, with the version to which they belong.
    struct ConsoleFlags: Sendable, Codable, FlagValue {
        var version: Int
        var flags: [FlagsBrowserFlag]
    }
#endif
