#if CommandLine
    import TacklineCore
    import TacklineManifest
    import TacklineTargeting

    /// An index of a manifest's flags by key.
    struct ManifestIndex {
        let manifest: FlagManifest
        /// The flags by the text of their keys.
        private let byText: [String: FlagManifest.Entry]
        /// The flags by the names in their keys.
        private let byComponents: [[String]: FlagManifest.Entry]
        /// The names that lead to each group of flags.
        private let groups: Set<[String]>
        let suggestion: KeySuggestion
        /// The keys that more than one flag has.
        let sharedKeys: [String]

        init(_ manifest: FlagManifest) {
            self.manifest = manifest
            var byText: [String: FlagManifest.Entry] = [:]
            var byComponents: [[String]: FlagManifest.Entry] = [:]
            var groups: Set<[String]> = []
            var shared: [String] = []
            for collection in manifest.collections {
                for flag in collection.flags {
                    if byText[flag.key] != nil { shared.append(flag.key) }
                    byText[flag.key] = byText[flag.key] ?? flag
                    let components = FlagKeyPath(flag.key, separator: collection.separator).components
                    byComponents[components] = byComponents[components] ?? flag
                    for count in components.indices.dropFirst() { groups.insert(Array(components.prefix(count))) }
                }
            }
            self.byText = byText
            self.byComponents = byComponents
            self.groups = groups
            sharedKeys = shared
            suggestion = KeySuggestion(manifest.allFlags.map(\.key))
        }

        /// Reads a manifest in its own form or that of the OpenFeature CLI.
        init(path: String) throws(CommandFailure) {
            let input = try InputFile(path: path)
            do {
                self.init(try FlagManifest(json: input.bytes))
            } catch {
                throw CommandFailure("\(path): \(error).")
            }
        }

        /// Returns the flag at a key, which may be one text or the names of nested objects.
        func flag(at path: [String]) -> FlagManifest.Entry? {
            if path.count == 1, let flag = byText[path[0]] { return flag }
            return byComponents[path]
        }

        /// Returns the key path of a key, with the separator of its collection.
        func keyPath(_ key: String) -> FlagKeyPath {
            let collection = manifest.collections.first { $0.flags.contains { $0.key == key } }
            return FlagKeyPath(key, separator: collection?.separator ?? FlagKeyPath.defaultSeparator)
        }

        /// Returns the attributes of contexts; `nil` if neither the manifest nor an example lists any.
        static func attributes(_ index: ManifestIndex?, _ example: [String]?) -> [String]? {
            let declared = index.map { Array($0.manifest.attributes.keys) } ?? []
            return declared.isEmpty && example == nil ? nil : declared + (example ?? [])
        }

        /// Returns whether nested objects of these names can contain flags.
        func isGroup(_ path: [String]) -> Bool { groups.contains(path) }

        /// Returns the flag with a key, or throws an error that suggests a similar key.
        func require(_ key: String) throws(CommandFailure) -> FlagManifest.Entry {
            if let flag = byText[key] { return flag }
            let advice = suggestion.advice(for: key, otherwise: "tackline manifest lists the flags")
            throw CommandFailure("The manifest has no flag \"\(key)\"; \(advice)")
        }
    }
#endif
