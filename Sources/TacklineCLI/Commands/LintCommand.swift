#if CommandLine
    import ArgumentParser

    struct LintCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "lint",
            abstract: "Reports flags that are expired, have no owner, or are used nowhere.",
            discussion: """
                A flag counts as used if a source file mentions its property other than where it is declared, or its key \
                in quotes; comments do not count. Another thing of the same name hides an unused flag. Ends with 1 if \
                there is something to report.

                  tackline lint manifest.json --sources Sources --sources Tests
                  tackline lint manifest.json --skip owner
                """
        )

        @Argument(help: "The manifest of the app.", completion: .file()) var manifest: String
        @Option(help: "A folder of source files; without one, use is not looked at.", completion: .directory)
        var sources: [String] = []
        @Option(help: "What not to report: expired, owner or unused.") var skip: [LintRuleName] = []
        @OptionGroup var output: FindingsOptions

        func run() throws {
            let result = try ManifestLint.run(
                manifest, sources: sources, skipping: skip, format: output.chosen, style: TextStyle(for: .standard))
            for remark in result.remarks { CommandOutput.error.report("note: \(remark)") }
            try CommandOutput.standard.write(result.text)
            if !result.isGood { throw CommandFailure.found }
        }
    }
#endif
