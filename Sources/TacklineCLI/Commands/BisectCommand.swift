#if CommandLine
    import ArgumentParser
    import TacklineCore
    import TacklineLaunchGuard

    struct BisectCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "bisect",
            abstract: "Finds the flags with which a command fails.",
            discussion: """
                A command passes with some values and fails with others: bisect runs it with parts of the differences until \
                the smallest set is left with which it fails. With k culprits among n flags it takes about 2 k log2 n runs.

                The values are files of values, snapshots, crash records, or recordings of sessions. The command gets them as a JSON file, \
                whose path replaces {} in its arguments and is in the variable TACKLINE_BISECT_VALUES, or as environment \
                variables. It fails with any status but 0 and 125, by a signal, and when its time is over. The status 125 \
                says that it can't be tried with these values.

                  tackline bisect --good good.json --bad bad.json -- ./check.sh {}
                  tackline bisect --good good.json --bad bad.json --variables APP -- swift test
                  tackline bisect --good good.json --bad crash.json --runs 5 --record search.json -- ./check.sh {}
                """
        )

        @Option(help: "The values with which the command passes.", completion: .file()) var good: String
        @Option(help: "The values with which it fails.", completion: .file()) var bad: String
        @Option(
            name: .customLong("variables"),
            help: "Hand the values as environment variables with this prefix, in place of a file.")
        var prefix: String?
        @Option(help: "How often a set is tried, for a command that fails now and then.") var runs = 1
        @Option(help: "How many of the runs must fail for the set to count as failing.") var failures = 1
        @Option(
            name: .customLong("time-limit"),
            help: "The seconds after which the command is ended and has failed; what it started itself goes on.")
        var limit: Double?
        @Option(name: .customLong("suspect"), help: "The key of a flag to try first; can be repeated.")
        var suspects: [String] = []
        @Option(
            name: .customLong("launches"), help: "The folder of a launch guard, whose held-back flags are tried first.",
            completion: .directory)
        var launches: String?
        @Option(
            help: "A file that keeps what was tried: with the same file, an interrupted search goes on.",
            completion: .file())
        var record: String?
        @Option(
            name: .customLong("output"), help: "A file for the values of the flags that were found.",
            completion: .file())
        var file: String?
        @ArgumentParser.Flag(help: "Show each set that is tried, and the command's output.") var verbose = false
        @OptionGroup var output: OutputOptions
        @Argument(parsing: .postTerminator, help: "The command and its arguments, after --.") var command: [String] = []

        func validate() throws {
            guard !command.isEmpty else { throw ValidationError("Name the command after --.") }
            guard (1...1000).contains(runs) else { throw ValidationError("--runs is a number from 1 to 1000.") }
            guard (1...runs).contains(failures) else {
                throw ValidationError("--failures is a number from 1 to --runs.")
            }
            guard limit.map({ $0 > 0 && $0 <= 86_400 }) ?? true else {
                throw ValidationError("--time-limit is a number of seconds above 0, and at most a day.")
            }
        }

        func run() throws {
            BisectionFolder.removeLeftovers()
            let handing = prefix.map { BisectedCommand.Handing.variables(prefix: $0) } ?? .file
            let values = try BisectedValues(good: good, bad: bad)
            let held = try launches.map(HeldBackRecord.read) ?? []
            let heldBack = Set(held.flatMap { $0.values.map(\.key) }).sorted()
            let bisected = BisectedCommand(
                arguments: command, handing: handing, runs: runs, failures: failures,
                limit: limit.map { .seconds($0) }, showsOutput: verbose)
            var record = try BisectionRecord(record, values: values, command: bisected)
            let culprits = try search(values, bisected, values.differing(heldBack), &record)
            if let file {
                // A colleague adds these values to the good ones to see the failure. A value that is removed is null.
                let found = culprits.map { ($0.key.text, $0.new ?? .null) }
                let members = Dictionary(found) { first, _ in first }
                try FileWriting.write(FileWriting.bytes(of: members, format: .json), to: file)
            }
            let count = values.differences.count
            let members: [String: EncodedFlagValue] = [
                "culprits": .array(culprits.map { .object($0.members("good", "bad")) }), "differences": .count(count),
                "tried": .count(record.count),
            ]
            try output.print("bisect", members, of: file ?? "") { style in
                let head =
                    culprits.count == 1
                    ? "This flag is enough for the command to fail, of \(count) that differ:"
                    : "These \(culprits.count) flags together are enough for the command to fail, of \(count) that differ:"
                let lines = culprits.map { "  \($0.text(style))" }
                let ending = "\(record.count) \(record.count == 1 ? "set was" : "sets were") tried."
                return ([head] + lines + [ending]).joined(separator: "\n") + "\n"
            }
        }

        /// Returns the smallest set of differences with which the command fails.
        ///
        /// - Parameter heldBack: The keys of flags that a launch guard holds back.
        private func search(
            _ values: BisectedValues, _ command: BisectedCommand, _ heldBack: [String], _ record: inout BisectionRecord
        ) throws(CommandFailure) -> [FlagProviderChange] {
            let all = Array(values.differences.indices)
            guard !all.isEmpty else {
                throw CommandFailure("Both files have the same values, so there is nothing to find; compare others.")
            }
            let suspects = try values.numbers(of: suspects + heldBack)
            func fails(_ set: [Int]) throws(CommandFailure) -> Bool {
                try record.result(of: set) { () throws(CommandFailure) in
                    let result = try command.fails(with: values.document(with: set), keys: values.keys)
                    let line = "\(result ? "fails" : "passes") with \(set.count) of \(all.count) differences"
                    if verbose { CommandOutput.error.report(line) }
                    return result
                }
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
            let culprits = try withoutActuallyEscaping(fails) { fails throws(CommandFailure) in
                try DifferenceSearch(fails).smallestSet(of: all.count, suspects: suspects)
            }
            return culprits.map { values.differences[$0] }
        }
    }
#endif
