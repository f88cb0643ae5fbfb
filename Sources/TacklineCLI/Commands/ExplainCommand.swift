#if CommandLine
    import ArgumentParser
    import TacklineCore
    import TacklineTargeting

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
        @OptionGroup var options: ContentOptions
        @OptionGroup var fractional: FractionalOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let context = try EvaluationContext(key: user, attributes)
            let index = try manifest.map(ManifestIndex.init(path:))
            let file = try FlagFile(path: file, as: options.content)
            var explanation = ValueExplanation(key: key, path: file.path, flag: index?.flag(at: [key]))
            if let index, explanation.flag == nil {
                let advice = index.suggestion.advice(for: key, otherwise: "tackline manifest lists the flags")
                explanation.remarks.append("The manifest has no flag of this key; \(advice)")
            }
            switch file.content {
            case .values: explanation.take(file, index?.keyPath(key) ?? FlagKeyPath(key))
            case .flagd: explanation.take(try file.definitions(fractional.generation), context)
            case .manifest:
                throw CommandFailure("\(file.path) holds a manifest; name a value file, and give this as --manifest.")
            }
            try output.print("explain", explanation.members) { _ in explanation.text }
        }
    }
#endif
