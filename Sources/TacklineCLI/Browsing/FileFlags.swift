#if CommandLine
    import TacklineCore
    import TacklineManifest
    import TacklineTargeting

    /// The flags of a file, from a manifest, from values or from definitions.
    struct FileFlags {
        /// The flags in sections, whose titles name the groups around them.
        private(set) var sections: [(title: String, description: String, entries: [FlagManifest.Entry])] = []

        /// Creates the flags of a manifest.
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

        /// Derives the flags from values: an object with members is a group, and any other value is a flag of its own
        /// type.
        init(_ document: FlagDocument, title: String) {
            add(document.root, path: [], title: title, depth: 0)
        }

        /// Creates two flags for each definition: whether it is enabled, and its default variant.
        init(_ definitions: FlagDefinitions) {
            for flag in definitions.flags.values.sorted(by: { $0.key < $1.key }) {
                let sorted = flag.variants.sorted { $0.key < $1.key }
                let names = sorted.map { EncodedFlagValue.string($0.key) }
                let variants = sorted.map { "\($0.key) = \(ValueArgument.json($0.value))" }.joined(separator: ", ")
                sections.append(
                    (
                        flag.key, flag.targeting.map { "Rule: \(ValueArgument.json($0))" } ?? "No rule.",
                        [
                            .init(
                                key: BrowsedFile.Part.state.key(of: flag.key), name: "enabled", type: .init(.boolean),
                                metadata: .init(description: "A disabled flag gives the default of the code.")),
                            .init(
                                key: BrowsedFile.Part.defaultVariant.key(of: flag.key), name: "default variant",
                                type: .init(.string, cases: names),
                                metadata: .init(
                                    description: "The variant for users without another one. Variants: \(variants).")),
                        ]
                    ))
            }
        }

        private mutating func add(_ members: [String: EncodedFlagValue], path: [String], title: String, depth: Int) {
            let names = members.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            // The flags of a group come before the groups inside it, as in an app's collections.
            for isGroup in [false, true] {
                for name in names {
                    guard let value = members[name] else { continue }
                    // A name at the top level may be escaped, because it is a flag's beside a group, or may only be a
                    // mark.
                    guard let flag = depth == 0 ? FlagDocument.key(ofMember: name)?.text : name else { continue }
                    if case .object(let inner) = value, !inner.isEmpty, depth < 8, depth > 0 || !name.hasPrefix("/") {
                        let path = path + [name]
                        if isGroup { add(inner, path: path, title: path.joined(separator: " / "), depth: depth + 1) }
                    } else if !isGroup {
                        let key = (path + [flag]).joined(separator: FlagKeyPath.defaultSeparator)
                        let kind = FlagManifest.ValueType.kind(of: value) ?? .any
                        add(.init(key: key, name: flag, type: .init(kind)), to: title, "")
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

        /// Adds the flags of an earlier list that this one lacks, so that a flag whose value was removed stays visible.
        /// New sections follow the known ones, so that none changes its place.
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

        /// The type of each flag, by key.
        var types: [String: FlagManifest.ValueType] {
            Dictionary(sections.flatMap(\.entries).map { ($0.key, $0.type) }, uniquingKeysWith: { first, _ in first })
        }

        /// The keys and types. If they differ, a new browser is needed.
        var signature: [String: FlagManifest.ValueType.Kind] { types.mapValues(\.kind) }
    }
#endif
