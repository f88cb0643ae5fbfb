#if CommandLine
    import ArgumentParser

    struct ExplainCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "explain",
            abstract: "Says what a file answers for a flag, and why.",
            discussion: """
                Of a value file the value and its place, of flag definitions the way through the rule: each condition with \
                its answer, what it looked at, and where the user falls in a split. With a manifest also the flag's type and default, and whether the app would take the value.

                  tackline explain flags.json secrets/boom_feature --manifest manifest.json
                  tackline explain rollout.flagd.json reservations --user ann
                  tackline explain rollout.flagd.json reservations --user ann --attribute plan=gold
                """
        )

        @Argument(help: "The value file, or flag definitions.", completion: .file()) var file: String
        @Argument(help: "The key.", completion: .flagKeys) var key: String
        @Option(help: "The manifest of the app.", completion: .file()) var manifest: String?
        @Option(help: "The targeting key for whom a rule is evaluated.") var user: String?
        @Option(
            name: .customLong("attribute"),
            help: ArgumentHelp(
                "What a rule may ask of the user, any number of times: a value as JSON, or a text.",
                valueName: "name=value"))
        var attributes: [String] = []
        @OptionGroup var content: ContentOptions
        @OptionGroup var fractional: FractionalOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let context = try UserAttributes.context(key: user, attributes)
            let commands = try ValueCommands(path: file, manifest: manifest, as: content.name)
            try CommandOutput.standard.write(
                commands.explain(key, context, fractional.generation, isJSON: output.isJSON))
        }
    }
#endif
