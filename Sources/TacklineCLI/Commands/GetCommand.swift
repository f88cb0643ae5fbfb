#if CommandLine
    import ArgumentParser

    struct GetCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "get",
            abstract: "Prints a value of a value file.",
            discussion: """
                A string is printed as it is, anything else as JSON. A key leads through nested objects, and is looked up \
                flat first, as in the app. A terminal is shown no control characters of a string; a pipe gets them all. Ends with 1 if there is no value.

                  tackline get flags.json secrets/boom_feature
                """
        )

        @Argument(help: "The value file.", completion: .file()) var file: String
        @Argument(help: "The key.", completion: .flagKeys) var key: String
        @OptionGroup var content: ContentOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let commands = try ValueCommands(path: file, manifest: nil, as: content.name)
            let text = try commands.get(
                key, isJSON: output.isJSON, isTerminal: CommandOutput.standard.isTerminal)
            try CommandOutput.standard.write(text)
        }
    }
#endif
