#if CommandLine
    import ArgumentParser

    struct DiffCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "diff",
            abstract: "Compares two value files, or says who is affected by a change of flag definitions.",
            discussion: """
                Values are compared by key, whatever the layout and the format of the files. Flag definitions are tried \
                on users, synthetic ones or your own: who gets another variant than before? A file of users is a JSON \
                list of targeting keys, or of objects with a targetingKey and attributes. Ends as diff does: with 1 if there \
                is a difference, with 2 if a file cannot be compared.

                  tackline diff old.json new.plist
                  tackline diff old.flagd.json new.flagd.json --users 100000
                  tackline diff old.flagd.json new.flagd.json --users users.json --json
                  tackline diff rollout.flagd.json rollout.flagd.json --fractional v2 --to-fractional v3
                """
        )

        @Argument(help: "The file before.", completion: .file()) var old: String
        @Argument(help: "The file after.", completion: .file()) var new: String
        @Option(help: "How many synthetic users, user-1 and on, or a file that lists users.", completion: .file())
        var users = "10000"
        @OptionGroup var fractional: FractionalOptions
        @Option(
            name: .customLong("to-fractional"),
            help: "The generation after the change: who moves when your evaluators change theirs?")
        var newGeneration: GenerationName?
        @OptionGroup var output: OutputOptions

        func run() throws {
            let difference = try FileDifference(
                from: old, to: new, users: users, generation: fractional.generation,
                newGeneration: newGeneration?.generation)
            let style = TextStyle(for: .standard)
            try CommandOutput.standard.write(output.isJSON ? difference.json() : difference.text(style))
            if !difference.isEmpty { throw CommandFailure.found }
        }
    }
#endif
