#if CommandLine
    import TacklineCore
    import TacklineTerminal

    /// The differences between two value files.
    struct ValueDifference {
        private var changes: [FlagProviderChange] = []

        /// Compares the values that the files give for each key that is not a group.
        init(from old: FlagFile, to new: FlagFile) {
            changes = FlagDocument.differences(from: old.document, to: new.document)
        }

        var isEmpty: Bool { changes.isEmpty }

        /// Returns a line for each key, sorted.
        func text(_ style: TextStyle) -> String {
            changes.map { Self.text($0, style) + "\n" }.joined()
        }

        /// Returns a line for a key, without its end.
        static func text(_ change: FlagProviderChange, _ style: TextStyle) -> String {
            let key = SafeText.line(change.key.text)
            return switch (change.old, change.new) {
            case (let old?, let new?): style.yellow("~ \(key): \(old) -> \(new)")
            case (nil, let new?): style.green("+ \(key): \(new)")
            case (let old?, nil): style.red("- \(key): \(old)")
            case (nil, nil): ""
            }
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
