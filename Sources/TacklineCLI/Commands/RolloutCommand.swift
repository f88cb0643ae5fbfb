#if CommandLine
    import ArgumentParser

    struct RolloutCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rollout",
            abstract: "Sets how many users get a variant.",
            discussion: """
                Changes the weights of the flag's split in place and leaves the rest of the file as it is. A flag without a \
                rule gets one. Says who gains and who loses what, for 10,000 synthetic users. Users who have the variant \
                keep it when its share grows, as long as it stands first in the split.

                  tackline rollout rollout.flagd.json reservations 25
                  tackline rollout rollout.flagd.json reservations 12.5 --variant on --dry-run
                """
        )

        @Argument(help: "The flag definitions, as JSON.", completion: .file()) var file: String
        @Argument(help: "The key of the flag.", completion: .flagKeys) var flag: String
        @Argument(help: "From 0 to 100, with at most five digits behind the point.") var percent: String
        @Option(help: "The variant that gets the share; the first of the split otherwise.") var variant: String?
        @ArgumentParser.Flag(help: "Replace a rule that is more than a split.") var replaceRule = false
        @ArgumentParser.Flag(help: "Only say what would happen.") var dryRun = false
        @OptionGroup var fractional: FractionalOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let job = RolloutJob(
                path: file, key: flag, variant: variant, replacesRule: replaceRule,
                generation: fractional.generation)
            let text = try job.run(percentage: percent, isTrial: dryRun, isJSON: output.isJSON)
            try dryRun ? CommandOutput.standard.write(text) : FileWriting.tell(text, of: file)
        }
    }
#endif
