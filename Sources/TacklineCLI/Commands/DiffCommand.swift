#if CommandLine
    import ArgumentParser
    import TacklineCore
    import TacklineTargeting

    struct DiffCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "diff",
            abstract: "Compares two value files, or says who is affected by a change of flag definitions.",
            discussion: """
                Values are compared by key, whatever the layout and the format of the files. Flag definitions are evaluated \
                for users, synthetic ones or your own: who gets another variant than before? A file of users is a JSON \
                list of targeting keys, or of objects with a targetingKey and attributes. Ends as diff does: with 1 if there \
                is a difference, with 2 if a file cannot be compared.

                  tackline diff old.json new.plist
                  tackline diff old.flagd.json new.flagd.json --users 100000
                  tackline diff old.flagd.json new.flagd.json --users users.json --json
                  tackline diff rollout.flagd.json rollout.flagd.json --fractional v2 --to-fractional v3
                """
        )

        @Argument(help: "The file before.", completion: .file()) var old: String
        @Argument(help: "The file after.", completion: .file()) var new: String
        @Option(help: "How many synthetic users, user-1 and on, or a file that lists users.", completion: .file())
        var users = "10000"
        @OptionGroup var fractional: FractionalOptions
        @Option(
            name: .customLong("to-fractional"),
            help: "The generation after the change: who moves when your evaluators change theirs?")
        var newGeneration: FractionalVersion?
        @OptionGroup var output: OutputOptions

        func run() throws {
            let (old, new) = (try FlagFile(path: old), try FlagFile(path: new))
            switch (old.content, new.content) {
            case (.values, .values): try compareValues(old, new)
            case (.flagd, .flagd): try compareDefinitions(old, new)
            default:
                throw CommandFailure(
                    """
                    \(old.path) holds \(old.content.phrase) and \(new.path) holds \(new.content.phrase); compare two value \
                    files or two files of flag definitions.
                    """)
            }
        }

        private func compareValues(_ old: FlagFile, _ new: FlagFile) throws {
            let changes = FlagDocument.differences(from: old.document, to: new.document)
            let entries = changes.map { change -> EncodedFlagValue in
                let word = change.old == nil ? "added" : change.new == nil ? "removed" : "changed"
                var members: [String: EncodedFlagValue] = ["key": .string(change.key.text), "change": .string(word)]
                members["old"] = change.old
                members["new"] = change.new
                return .object(members)
            }
            try output.print("diff", ["kind": "values", "changes": .array(entries)]) { style in
                changes.map { $0.text(style) + "\n" }.joined()
            }
            if !changes.isEmpty { throw CommandFailure.found }
        }

        private func compareDefinitions(_ old: FlagFile, _ new: FlagFile) throws {
            let users = try Users(users)
            let (oldGeneration, newGeneration) = (fractional.generation, newGeneration ?? fractional.generation)
            let (before, after) = (try old.definitions(oldGeneration), try new.definitions(newGeneration))
            let isAlike = old.members["$evaluators"] == new.members["$evaluators"] && oldGeneration == newGeneration
            var changes: [(key: String, kind: String, comparison: RolloutComparison)] = []
            for key in Set(before.flags.keys).union(after.flags.keys).sorted() {
                let (left, right) = (before.flags[key], after.flags[key])
                let isSame = left.flatMap { left in right.map(left.isSame) } ?? false
                if isSame, isAlike { continue }
                let comparison = RolloutComparison(of: key, from: before, to: after, contexts: users.contexts)
                if isSame, comparison.moves.isEmpty { continue }
                let isSplit = isSame && oldGeneration != newGeneration
                let word = left == nil ? "added" : right == nil ? "removed" : "changed"
                changes.append((key, isSplit ? "split by another generation" : word, comparison))
            }
            let entries = changes.map { change -> EncodedFlagValue in
                [
                    "key": .string(change.key), "change": .string(change.kind),
                    "affected": .count(users.count - change.comparison.unchangedCount),
                    "moves": .array(change.comparison.moves.map(\.encoded)),
                ]
            }
            let members: [String: EncodedFlagValue] = [
                "kind": "flagd", "users": .count(users.count), "flags": .array(entries),
            ]
            try output.print("diff", members) { style in
                changes.map { key, kind, comparison in
                    let sign = kind == "added" ? "+" : kind == "removed" ? "-" : "~"
                    let affected = users.count - comparison.unchangedCount
                    let line = "\(sign) \(SafeText.line(key)) \(kind): \(affected) of \(users.count) users affected"
                    let moves = comparison.moves.map { move in
                        "    \(move.from) to \(move.to): \(move.count), such as \(move.examples.joined(separator: ", "))"
                    }
                    return style.bold(line) + "\n" + moves.lines
                }.joined(separator: "\n")
            }
            if !changes.isEmpty { throw CommandFailure.found }
        }
    }

    extension FlagDefinition {
        /// Returns whether two definitions say the same.
        fileprivate func isSame(_ other: FlagDefinition) -> Bool {
            isEnabled == other.isEnabled && variants == other.variants && defaultVariant == other.defaultVariant
                && targeting == other.targeting && metadata == other.metadata && error == other.error
        }
    }

    extension RolloutComparison.Move {
        /// The move as an object.
        fileprivate var encoded: EncodedFlagValue {
            ["from": .string(from), "to": .string(to), "count": .count(count), "examples": .texts(examples)]
        }
    }
#endif
