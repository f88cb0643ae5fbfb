#if CommandLine
    import TacklineCore
    import TacklineTerminal

    /// What differs between two value files.
    struct ValueDifference {
        private var changes: [FlagProviderChange] = []

        /// Compares what the files answer for each key that leads to something else than a group.
        init(from old: FlagFile, to new: FlagFile) {
            let (before, after) = (old.document, new.document)
            for text in Set(old.leafKeys).union(new.leafKeys).sorted() {
                let key = FlagKeyPath(text)
                let change = FlagProviderChange(key: key, old: before.value(for: key), new: after.value(for: key))
                if change.old != change.new { changes.append(change) }
            }
        }

        var isEmpty: Bool { changes.isEmpty }

        /// A line for each key, sorted.
        func text(_ style: TextStyle) -> String {
            changes.map { change in
                let key = SafeText.line(change.key.text)
                switch (change.old, change.new) {
                case (let old?, let new?):
                    return style.yellow("~ \(key): \(old) -> \(new)")
                case (nil, let new?): return style.green("+ \(key): \(new)")
                case (let old?, nil): return style.red("- \(key): \(old)")
                case (nil, nil): return ""
                }
            }.map { $0 + "\n" }.joined()
        }

        var json: [String: EncodedFlagValue] {
            let entries = changes.map { change -> EncodedFlagValue in
                var members: [String: EncodedFlagValue] = ["key": .string(change.key.text)]
                members["old"] = change.old
                members["new"] = change.new
                members["change"] =
                    change.old == nil ? "added" : change.new == nil ? "removed" : "changed"
                return .object(members)
            }
            return ["kind": "values", "changes": .array(entries)]
        }
    }
#endif
