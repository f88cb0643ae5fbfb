#if CommandLine
    import TacklineCore
    import TacklineFormats
    import TacklineTerminal

    /// A search for the flags with which a command fails.
    struct Bisection {
        let values: BisectedValues
        private let command: BisectedCommand
        private let culprits: [Int]
        private let count: Int

        /// Searches.
        ///
        /// - Parameters:
        ///   - suspects: The keys that are tried first.
        ///   - record: The path of the record, or `nil`.
        ///   - note: Receives a line about each set that was tried.
        init(
            _ values: BisectedValues, _ command: BisectedCommand, suspects: [String], record path: String?,
            note: @escaping (String) -> Void
        ) throws(CommandFailure) {
            self.values = values
            self.command = command
            let all = Array(values.differences.indices)
            guard !all.isEmpty else {
                throw CommandFailure("Both files have the same values, so there is nothing to find; compare others.")
            }
            let suspects = try values.numbers(of: suspects)
            var record = try BisectionRecord(path, values: values, command: command)
            func fails(_ set: [Int]) throws(CommandFailure) -> Bool {
                let result = try record.result(of: set) { () throws(CommandFailure) in
                    let result = try command.fails(with: values.document(with: set), keys: values.keys)
                    note("\(result ? "fails" : "passes") with \(set.count) of \(all.count) differences")
                    return result
                }
                return result
            }
            if try fails([]) {
                throw CommandFailure(
                    """
                    The command fails with the good values, so no difference is to blame. See what it says with --verbose; if it \
                    fails now and then, give --runs and --failures.
                    """)
            }
            guard try fails(all) else {
                throw CommandFailure(
                    """
                    The command passes with the bad values, so nothing can be found. If it fails now and then, give --runs; \
                    if it reads its values otherwise, see --help for how they are handed to it.
                    """)
            }
            culprits = try withoutActuallyEscaping(fails) { fails throws(CommandFailure) in
                try DifferenceSearch(fails).smallestSet(of: all.count, suspects: suspects)
            }
            count = record.count
        }

        /// The values that a colleague adds to the good ones to see the failure. A value that is removed is null.
        var document: [String: EncodedFlagValue] {
            var members: [String: EncodedFlagValue] = [:]
            for number in culprits {
                members[values.differences[number].key.text] = values.differences[number].new ?? .null
            }
            return members
        }

        func text(_ style: TextStyle) -> String {
            let all = values.differences.count
            let changes = culprits.map { values.differences[$0] }
            let head =
                changes.count == 1
                ? "This flag is enough for the command to fail, of \(all) that differ:"
                : "These \(changes.count) flags together are enough for the command to fail, of \(all) that differ:"
            let lines = changes.map { "  \(ValueDifference.text($0, style))" }
            let ending = "\(count) \(count == 1 ? "set was" : "sets were") tried."
            return ([head] + lines + [ending]).joined(separator: "\n") + "\n"
        }

        var json: [String: EncodedFlagValue] {
            let entries = culprits.map { number -> EncodedFlagValue in
                let change = values.differences[number]
                var members: [String: EncodedFlagValue] = ["key": .string(change.key.text)]
                members["good"] = change.old
                members["bad"] = change.new
                return .object(members)
            }
            return [
                "culprits": .array(entries), "differences": .integer(Int128(values.differences.count)),
                "tried": .integer(Int128(count)),
            ]
        }
    }
#endif
