#if CommandLine
    import ArgumentParser

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
        @Option(
            help: "A file that FlagUsage has written, or a folder of them; several are merged.", completion: .file())
        var usage: [String] = []
        @Option(help: "The number of days before the end of the usage.") var days = 30
        @Option(help: "What not to report: expired, overdue, owner, unused, unread or constant.") var skip:
            [LintRuleName] = []
        @OptionGroup var output: FindingsOptions

        func run() throws {
            let result = try ManifestLint.run(
                .init(manifest: manifest, sources: sources, usage: usage, days: days), skipping: skip,
                format: output.chosen, style: TextStyle(for: .standard))
            for remark in result.remarks { CommandOutput.error.report("note: \(remark)") }
            try CommandOutput.standard.write(result.text)
            if !result.isGood { throw CommandFailure.found }
        }
    }

    /// The name of a rule on the command line.
    enum LintRuleName: String, ExpressibleByArgument, CaseIterable {
        case expired, overdue, owner, unused, unread, constant
    }
#endif
