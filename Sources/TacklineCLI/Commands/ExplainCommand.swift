#if CommandLine
    import ArgumentParser

    struct ExplainCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "explain",
            abstract: "Says what a file answers for a flag, and why.",
            discussion: """
                Of a value file the value and its place, of flag definitions the variant and the reason. With a manifest \
                also the flag's type and default, and whether the app would take the value.

                  tackline explain flags.json secrets/boom_feature --manifest manifest.json
                  tackline explain rollout.flagd.json reservations --user ann
                """
        )

        @Argument(help: "The value file, or flag definitions.", completion: .file()) var file: String
        @Argument(help: "The key.", completion: .flagKeys) var key: String
        @Option(help: "The manifest of the app.", completion: .file()) var manifest: String?
        @Option(help: "The targeting key for whom a rule is evaluated.") var user: String?
        @OptionGroup var content: ContentOptions
        @OptionGroup var fractional: FractionalOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let commands = try ValueCommands(path: file, manifest: manifest, as: content.name)
            try CommandOutput.standard.write(
                commands.explain(key, user: user, fractional.generation, isJSON: output.isJSON))
        }
    }
#endif
