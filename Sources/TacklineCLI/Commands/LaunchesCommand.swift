#if CommandLine
    import ArgumentParser

    struct LaunchesCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "launches",
            abstract: "Lists the values that a launch guard holds back.",
            discussion: """
                A launch guard holds back the values under which an app died again and again soon after its start. The folder is \
                the one that LaunchGuard(folder:) was given. The guard keeps hashes, so a value is shown if one of the files has \
                it. Ends with 1 if something is held back.

                  tackline launches ~/app/launches
                  tackline launches ~/app/launches --values remote.json
                  tackline bisect --good good.json --bad remote.json --launches ~/app/launches -- ./check.sh {}
                """
        )

        @Argument(help: "The folder of the launch guard.", completion: .directory) var folder: String
        @Option(help: "A file in which the values may be; can be repeated.", completion: .file()) var values: [String] =
            []
        @OptionGroup var output: OutputOptions

        func run() throws {
            let flags = try HeldBackFlags(folder: folder, values: values)
            let style = TextStyle(for: .standard)
            try CommandOutput.standard.write(
                output.isJSON ? JSONReport.text("launches", flags.json) : flags.text(style))
            if !flags.isEmpty { throw CommandFailure.found }
        }
    }
#endif
