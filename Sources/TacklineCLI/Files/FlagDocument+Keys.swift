#if CommandLine
    import TacklineCore

    extension FlagDocument {
        /// The keys of all values, groups included, sorted. Nested ones are paths.
        var keys: [String] { keys { _ in true } }

        /// The keys of all values except groups that are not empty, sorted.
        var leafKeys: [String] {
            keys { value in
                if case .object(let members) = value { members.isEmpty } else { true }
            }
        }

        private func keys(where isIncluded: (EncodedFlagValue) -> Bool) -> [String] {
            var keys: [String] = []
            var pending: [(path: [String], value: EncodedFlagValue)] = []
            for (name, value) in root where name != "$schema" { pending.append(([name], value)) }
            while let (path, value) = pending.popLast() {
                if isIncluded(value) { keys.append(path.joined(separator: FlagKeyPath.defaultSeparator)) }
                if case .object(let inner) = value, path.count < EncodedFlagValue.maximumDepth {
                    pending += inner.map { (path + [$0.key], $0.value) }
                }
            }
            return Set(keys).sorted()
        }

        /// Returns the keys whose values differ, sorted, those of groups left out.
        static func differences(from old: FlagDocument, to new: FlagDocument) -> [FlagProviderChange] {
            Set(old.leafKeys).union(new.leafKeys).sorted().compactMap { text in
                let key = FlagKeyPath(text)
                let change = FlagProviderChange(key: key, old: old.value(for: key), new: new.value(for: key))
                return change.old == change.new ? nil : change
            }
        }
    }

    extension FlagProviderChange {
        /// Returns a line that shows the change.
        func text(_ style: TextStyle) -> String {
            let key = SafeText.line(key.text)
            return switch (old, new) {
            case (let old?, let new?): style.yellow("~ \(key): \(old) -> \(new)")
            case (nil, let new?): style.green("+ \(key): \(new)")
            case (let old?, nil): style.red("- \(key): \(old)")
            case (nil, nil): ""
            }
        }
    }
#endif
