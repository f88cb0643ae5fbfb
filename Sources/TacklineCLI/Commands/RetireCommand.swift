#if CommandLine
    import ArgumentParser
    import Foundation
    import TacklineRecording

    struct RetireCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "retire",
            abstract: "Shows what remains of the code when a flag is fixed to a value.",
            discussion: """
                Prints each place in the sources that names the flag's property or its key, with what remains of the line. \
                It looks at words and conditions in one line, not at Swift as a whole, and changes nothing. Ends with 1 if \
                the usage has other values, which the removal would change.

                  tackline retire new_checkout --value true --manifest manifest.json --sources Sources
                  tackline retire new_checkout --manifest manifest.json --sources Sources --usage usage/
                """
        )

        @Argument(help: "The key of the flag.") var key: String
        @Option(help: "The value that remains; without it, the only one that the usage has.") var value: String?
        @Option(help: "The manifest of the app.", completion: .file()) var manifest: String
        @Option(help: "A folder of source files; several times for several.", completion: .directory)
        var sources: [String] = []
        @Option(
            help: "A file that FlagUsage has written, or a folder of them; several are merged.", completion: .file())
        var usage: [String] = []
        @Option(help: "The number of days before the end of the usage.") var days = 30
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if sources.isEmpty { throw ValidationError("Name a folder of source files with --sources.") }
        }

        func run() throws {
            let input = FlagRetirement.Input(
                key: key, value: value, manifest: manifest, sources: sources, usage: usage, days: days)
            let retirement = try FlagRetirement(input, today: FlagUsageRecord.Day(Date()))
            for remark in retirement.remarks { CommandOutput.error.report("note: \(remark)") }
            try CommandOutput.standard.write(
                output.isJSON
                    ? JSONReport.text("retire", retirement.json) : retirement.text(TextStyle(for: .standard)))
            if !retirement.isSafe { throw CommandFailure.found }
        }
    }
#endif
