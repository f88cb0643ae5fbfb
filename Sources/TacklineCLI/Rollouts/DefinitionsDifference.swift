#if CommandLine
    import TacklineCore
    import TacklineTargeting
    import TacklineTerminal

    /// The differences between two documents of flag definitions, and the users whom they affect.
    struct DefinitionsDifference {
        private struct FlagChange {
            let key: String
            /// "added", "removed", "changed" or "split by another generation".
            let kind: String
            let comparison: RolloutComparison
        }

        private var changes: [FlagChange] = []
        private let userCount: Int

        /// Compares two documents by evaluating each changed flag for every user.
        init(
            from old: FlagFile, _ oldGeneration: FractionalGeneration, to new: FlagFile,
            _ newGeneration: FractionalGeneration, users: Users, progress: ProgressReport
        ) throws(CommandFailure) {
            let before = try old.definitions(oldGeneration)
            let after = try new.definitions(newGeneration)
            userCount = users.count
            for key in Set(before.flags.keys).union(after.flags.keys).sorted() {
                let (left, right) = (before.flags[key], after.flags[key])
                if let left, let right, DefinitionsDifference.isSame(left, right),
                    old.members["$evaluators"] == new.members["$evaluators"], oldGeneration == newGeneration
                {
                    continue
                }
                let comparison = RolloutComparison(of: key, from: before, to: after, contexts: users.contexts(progress))
                let isSplit = oldGeneration != newGeneration && DefinitionsDifference.isSame(left, right)
                let kind =
                    left == nil
                    ? "added" : right == nil ? "removed" : isSplit ? "split by another generation" : "changed"
                if left != nil, right != nil, DefinitionsDifference.isSame(left, right), comparison.moves.isEmpty {
                    continue
                }
                changes.append(FlagChange(key: key, kind: kind, comparison: comparison))
            }
            progress.finish()
        }

        private static func isSame(_ left: FlagDefinition?, _ right: FlagDefinition?) -> Bool {
            guard let left, let right else { return false }
            return left.isEnabled == right.isEnabled && left.variants == right.variants
                && left.defaultVariant == right.defaultVariant && left.targeting == right.targeting
                && left.metadata == right.metadata && left.error == right.error
        }

        var isEmpty: Bool { changes.isEmpty }

        func text(_ style: TextStyle) -> String {
            changes.map { change in
                let sign = change.kind == "added" ? "+" : change.kind == "removed" ? "-" : "~"
                let affected = userCount - change.comparison.unchangedCount
                let line = style.bold(
                    "\(sign) \(SafeText.line(change.key)) \(change.kind): \(affected) of \(userCount) users affected")
                return line + "\n"
                    + change.comparison.table.split(separator: "\n").map {
                        "    \(SafeText.line(String($0), limit: .max))\n"
                    }.joined()
            }.joined(separator: "\n")
        }

        var json: [String: EncodedFlagValue] {
            let flags = changes.map { change -> EncodedFlagValue in
                [
                    "key": .string(change.key), "change": .string(change.kind),
                    "affected": .integer(Int128(userCount - change.comparison.unchangedCount)),
                    "moves": .array(
                        change.comparison.moves.map { move in
                            [
                                "from": .string(move.from), "to": .string(move.to),
                                "count": .integer(Int128(move.count)),
                                "examples": .array(move.examples.map { .string($0) }),
                            ]
                        }),
                ]
            }
            return ["kind": "flagd", "users": .integer(Int128(userCount)), "flags": .array(flags)]
        }
    }
#endif
