#if CommandLine
    import TacklineCore
    import TacklineManifest

    /// The flags that a value file can be taken to hold.
    struct FileFlags {
        /// The flags in the order of their keys, under the names of the groups around them.
        private(set) var sections: [(title: String, description: String, entries: [FlagManifest.Entry])] = []

        /// Takes them from a manifest.
        init(_ manifest: FlagManifest, title: String) {
            for listing in manifest.collections {
                let root = listing.name ?? title
                for entry in listing.flags {
                    let title = ([root] + entry.groups).joined(separator: " / ")
                    let description = entry.groups.isEmpty ? listing.description : ""
                    add(entry, to: title, description)
                }
            }
        }

        /// Guesses them from values: an object with members is a group, anything else a flag of the type that it shows.
        init(_ document: FlagDocument, title: String) {
            add(document.root, path: [], title: title, depth: 0)
        }

        /// Takes them from flag definitions: for each, whether it is on, and what those get whom no rule concerns.
        init(_ definitions: BrowsedDefinitions.Content) {
            for flag in definitions.flags {
                let names = flag.variants.map { EncodedFlagValue.string($0.name) }
                let variants = flag.variants.map { "\($0.name) = \(ValueArgument.json($0.value))" }.joined(
                    separator: ", ")
                sections.append(
                    (
                        flag.key, flag.rule.map { "Rule: \(ValueArgument.json($0))" } ?? "No rule.",
                        [
                            .init(
                                key: BrowsedDefinitions.key(flag.key, .state), name: "enabled", type: .init(.boolean),
                                metadata: .init(description: "A disabled flag gives the default of the code.")),
                            .init(
                                key: BrowsedDefinitions.key(flag.key, .defaultVariant), name: "default variant",
                                type: .init(.string, cases: names),
                                metadata: .init(description: "Who is met by no rule gets it. Variants: \(variants).")),
                        ]
                    ))
            }
        }

        private mutating func add(_ members: [String: EncodedFlagValue], path: [String], title: String, depth: Int) {
            let names = members.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            // Those of a group before the groups in it, as an app's are.
            for isGroup in [false, true] {
                for name in names {
                    guard let value = members[name] else { continue }
                    // At the top level a name may be that of a flag beside a group, or only a mark.
                    guard let flag = depth == 0 ? FlagDocument.key(ofMember: name)?.text : name else { continue }
                    if case .object(let inner) = value, !inner.isEmpty, depth < 8, depth > 0 || !name.hasPrefix("/") {
                        let path = path + [name]
                        if isGroup { add(inner, path: path, title: path.joined(separator: " / "), depth: depth + 1) }
                    } else if !isGroup {
                        let key = (path + [flag]).joined(separator: FlagKeyPath.defaultSeparator)
                        add(.init(key: key, name: flag, type: .init(Self.kind(of: value))), to: title, "")
                    }
                }
            }
        }

        private mutating func add(_ entry: FlagManifest.Entry, to title: String, _ description: String) {
            if let place = sections.firstIndex(where: { $0.title == title }) {
                sections[place].entries.append(entry)
            } else {
                sections.append((title, description, [entry]))
            }
        }

        private static func kind(of value: EncodedFlagValue) -> FlagManifest.ValueType.Kind {
            switch value {
            case .bool: .boolean
            case .integer: .integer
            case .double, .decimal: .number
            case .string, .unparsed: .string
            case .data: .data
            case .date: .date
            case .array: .array
            case .object: .object
            case .null: .any
            }
        }

        /// Adds what an earlier guess had and this one has not, so that a flag whose value was removed stays in sight, and
        /// puts new sections behind the known ones, so that nothing changes its place.
        mutating func keep(_ former: FileFlags) {
            var merged = former
            for section in sections {
                guard let place = merged.sections.firstIndex(where: { $0.title == section.title }) else {
                    merged.sections.append(section)
                    continue
                }
                let keys = Set(section.entries.map(\.key))
                let kept = merged.sections[place].entries.filter { !keys.contains($0.key) }
                merged.sections[place].entries = (kept + section.entries).sorted {
                    $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
                }
            }
            self = merged
        }

        /// What each flag takes, by key.
        var types: [String: FlagManifest.ValueType] {
            Dictionary(sections.flatMap(\.entries).map { ($0.key, $0.type) }, uniquingKeysWith: { first, _ in first })
        }

        /// Keys and types: what a browser has to be made anew for if it differs.
        var signature: [String: FlagManifest.ValueType.Kind] {
            Dictionary(
                sections.flatMap(\.entries).map { ($0.key, $0.type.kind) }, uniquingKeysWith: { first, _ in first })
        }
    }
#endif
