#if CommandLine
    import ArgumentParser

    struct UnsetCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "unset",
            abstract: "Removes values from a value file.",
            discussion: """
                The next provider then answers for the flags. A key is removed in both shapes, flat and nested. Ends with \
                1 if one of the keys had no value.

                  tackline unset flags.json secrets/boom_feature title
                """
        )

        @Argument(help: "The value file.", completion: .file()) var file: String
        @Argument(help: "The keys.") var keys: [String]
        @OptionGroup var output: OutputOptions

        func run() throws {
            let commands = try ValueCommands(path: file, manifest: nil)
            let result = try commands.unset(keys, isJSON: output.isJSON)
            try CommandOutput.standard.write(result.text)
            if !result.isComplete { throw CommandFailure.found }
        }
    }
#endif
