#if CommandLine
    import ArgumentParser
    import Foundation
    import TacklineCore
    import TacklineManifest
    import TacklineRecording

    struct LintCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "lint",
            abstract: "Reports flags that are expired, have no owner, are used nowhere, or could go.",
            discussion: """
                A flag counts as used if a source file mentions its property other than where it is declared, or its key \
                in quotes; comments do not count. Another thing of the same name hides an unused flag. Ends with 1 if \
                there is something to report.

                With --usage it also reports flags that nothing has read in --days, flags that had one value everywhere in \
                that time, and expired flags that are still read: each with the value that its removal leaves.

                  tackline lint manifest.json --sources Sources --sources Tests
                  tackline lint manifest.json --usage usage/ --days 30 --sources Sources
                  tackline lint manifest.json --skip owner
                """
        )

        @Argument(help: "The manifest of the app.", completion: .file()) var manifest: String
        @Option(help: "A folder of source files; without one, use is not looked at.", completion: .directory)
        var sources: [String] = []
        @OptionGroup var usage: UsageOptions
        @Option(help: "What not to report: expired, overdue, owner, unused, unread or constant.") var skip:
            [ManifestLint.Rule] = []
        @OptionGroup var output: FindingsOptions

        func run() throws {
            let now = Date()
            let declared = try ManifestIndex(path: manifest).manifest
            let places = sources.isEmpty ? nil : try SourcePlaces(of: declared.allFlags, in: sources)
            let usage = try usage.window(today: FlagUsageRecord.Day(now))
            let lint = ManifestLint(declared, places, usage, skipping: skip, now: now)
            for remark in (places?.remarks ?? []) + (usage?.remarks(on: declared) ?? []) {
                CommandOutput.error.report("note: \(remark)")
            }
            let file = FindingsFormat.File(
                path: manifest, findings: lint.findings(in: try FlagFile(path: manifest)), isGood: lint.isEmpty)
            try output.print(FindingsFormat(command: "lint", files: [file]), lint.members) { style in
                lint.isEmpty ? "\(manifest): \(style.green("good")): nothing to report\n" : lint.text(style)
            }
        }
    }

    extension ManifestLint.Rule: ExpressibleByArgument {}

    /// The options of commands that look at the records of use.
    struct UsageOptions: ParsableArguments {
        @Option(
            name: .customLong("usage"),
            help: "A file that FlagUsage has written, or a folder of them; several are merged.", completion: .file())
        var paths: [String] = []
        @Option(help: "The number of days before the end of the usage.") var days = 30

        /// Reads the records; returns `nil` if none is named.
        func window(today: FlagUsageRecord.Day) throws(CommandFailure) -> FlagUsageWindow? {
            paths.isEmpty ? nil : try FlagUsageWindow(paths: paths, days: days, today: today)
        }
    }
#endif
