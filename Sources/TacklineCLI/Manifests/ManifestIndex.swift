#if CommandLine
    import TacklineCore
    import TacklineManifest
    import TacklineTargeting

    /// An index of a manifest's flags by key.
    struct ManifestIndex {
        let manifest: FlagManifest
        /// The flags by the text of their keys.
        private var byText: [String: FlagManifest.Entry] = [:]
        /// The flags by the names in their keys.
        private var byComponents: [[String]: FlagManifest.Entry] = [:]
        private var separators: [String: String] = [:]
        /// The names that lead to each group of flags.
        private var groups: Set<[String]> = []
        /// The keys that more than one flag has.
        private var sharedKeys: Set<String> = []
        let suggestion: KeySuggestion

        init(_ manifest: FlagManifest) {
            self.manifest = manifest
            suggestion = KeySuggestion(manifest.allFlags.map(\.key))
            for collection in manifest.collections {
                for flag in collection.flags {
                    guard byText[flag.key] == nil else {
                        sharedKeys.insert(flag.key)
                        continue
                    }
                    let components = FlagKeyPath(flag.key, separator: collection.separator).components
                    byText[flag.key] = flag
                    byComponents[components] = flag
                    separators[flag.key] = collection.separator
                    for count in components.indices.dropFirst() { groups.insert(Array(components.prefix(count))) }
                }
            }
        }

        /// Reads a manifest.
        init(path: String) throws(CommandFailure) { self.init(try FlagFile(path: path).manifest()) }

        /// Returns the flag at a key, which may be one text or the names of nested objects.
        func flag(at path: [String]) -> FlagManifest.Entry? {
            if path.count == 1, let flag = byText[path[0]] { return flag }
            return byComponents[path]
        }

        /// Returns the key path of a key, with the separator of its collection.
        func keyPath(_ key: String) -> FlagKeyPath {
            FlagKeyPath(key, separator: separators[key] ?? FlagKeyPath.defaultSeparator)
        }

        /// Returns whether nested objects of these names can contain flags.
        func isGroup(_ path: [String]) -> Bool { groups.contains(path) }

        /// Returns the flag with a key, or throws an error that suggests a similar key.
        func require(_ key: String) throws(CommandFailure) -> FlagManifest.Entry {
            if let flag = byText[key] { return flag }
            let advice = suggestion.advice(for: key, otherwise: "tackline manifest lists the flags")
            throw CommandFailure("The manifest has no flag \"\(key)\"; \(advice)")
        }

        /// Returns a finding for each key that several flags have.
        func sharedKeyFindings(in path: String) -> [Finding] {
            sharedKeys.sorted().map { key in
                let message = "several flags have the key \"\(key)\"; give one of their collections a prefix"
                return Finding(severity: .error, path: path, key: key, message: message)
            }
        }
    }
#endif
