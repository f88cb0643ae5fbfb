#if Web
    import TacklineBrowser
    import TacklineCore

    /// A snapshot as the pages have it, with what was made of it so far.
    struct ConsoleState {
        let snapshot: FlagsBrowserSnapshot
        /// The version, which rises with every change.
        let version: Int
        /// When the state was made.
        let time = ContinuousClock.now
        private var counts: FlagsBrowserCounts?
        private var search: FlagsBrowserSearch?
        private var places: [String: Int]?
        private var layout: Int?

        init(_ snapshot: FlagsBrowserSnapshot, version: Int) {
            self.snapshot = snapshot
            self.version = version
        }

        /// Returns the list for a page. A short list comes with all flags, and a long one with those at its beginning.
        mutating func list(
            for request: ConsoleListRequest, manyFlags: Int
        ) -> ConsoleList {
            let counts = counts ?? FlagsBrowserCounts(of: snapshot)
            self.counts = counts
            // A page that has just been opened is likely to search next.
            if !request.filter.text.isEmpty || request.waits == true, search == nil {
                search = FlagsBrowserSearch(snapshot)
            }
            let listing = FlagsBrowserListing(
                of: snapshot, matching: request.filter, search: request.filter.text.isEmpty ? nil : search,
                repeatsPinned: false)
            let layout = layout ?? snapshot.flags.map(\.id).hashValue
            self.layout = layout
            let isShort = snapshot.flags.count <= manyFlags
            var shown = isShort ? Array(snapshot.flags.indices) : Array(listing.parts.lazy.flatMap(\.places).prefix(60))
            if !isShort { shown += self.places(of: request.flags ?? []) }
            var list = ConsoleList(
                of: listing, counts: counts, version: version, layout: layout, flags: shown.map { snapshot.flags[$0] })
            if request.isWhole == true {
                var rest = snapshot
                rest.flags = []
                list.snapshot = rest
                list.ids = snapshot.flags.map(\.id)
            }
            return list
        }

        /// Returns some flags, each once. Unknown ids are ignored.
        mutating func flags(_ ids: [String]) -> ConsoleFlags {
            ConsoleFlags(version: version, flags: places(of: ids).map { snapshot.flags[$0] })
        }

        private mutating func places(of ids: [String]) -> [Int] {
            guard !ids.isEmpty else { return [] }
            let places =
                places ?? Dictionary(snapshot.flags.enumerated().map { ($1.id, $0) }) { first, _ in first }
            self.places = places
            var seen: Set<Int> = []
            return ids.prefix(1000).compactMap { places[$0] }.filter { seen.insert($0).inserted }
        }
    }
#endif
