#if CommandLine
    import ArgumentParser
    import TacklineCore
    import TacklineTargeting

    struct GetCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "get",
            abstract: "Prints a value of a value file.",
            discussion: """
                A string is printed as it is, anything else as JSON. As in the app, a flat key comes before nested objects. \
                Control characters are escaped on a terminal only. Ends with 1 if there is no value.

                  tackline get flags.json secrets/boom_feature
                """
        )

        @Argument(help: "The value file.", completion: .file()) var file: String
        @Argument(help: "The key.") var key: String
        @OptionGroup var options: ContentOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let file = try FlagFile(path: file, as: options.content)
            try file.requireValues()
            guard let value = file.document.value(for: FlagKeyPath(key)) else {
                let advice = KeySuggestion(file.document.keys).advice(for: key, otherwise: "tackline set adds one")
                throw CommandFailure("\(file.path) has no value for \"\(key)\"; \(advice)", status: .findings)
            }
            try output.print("get", ["key": .string(key), "value": value]) { _ in
                ValueArgument.text(of: value, onTerminal: CommandOutput.standard.isTerminal)
            }
        }
    }
#endif
