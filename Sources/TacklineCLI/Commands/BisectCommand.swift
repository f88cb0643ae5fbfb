#if CommandLine
    import ArgumentParser

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
            let handing = prefix.map { BisectedCommand.Handing.variables(prefix: $0) } ?? .file
            let values = try BisectedValues(good: good, bad: bad)
            let heldBack = try launches.map { try HeldBackFlags(folder: $0).keys } ?? []
            let bisection = try Bisection(
                values,
                BisectedCommand(
                    arguments: command, handing: handing, runs: runs, failures: failures,
                    limit: limit.map { .seconds($0) }, showsOutput: verbose),
                suspects: suspects + values.differing(heldBack), record: record,
                note: { [verbose] in if verbose { CommandOutput.error.report($0) } })
            if let file { try FileWriting.write(FileWriting.bytes(of: bisection.document, format: .json), to: file) }
            let text =
                output.isJSON
                ? try JSONReport.text("bisect", bisection.json) : bisection.text(TextStyle(for: .standard))
            try FileWriting.tell(text, of: file ?? "")
        }
    }
#endif
