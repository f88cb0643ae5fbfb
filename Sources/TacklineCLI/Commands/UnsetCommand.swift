#if CommandLine
    import ArgumentParser

    struct UnsetCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "unset",
            abstract: "Removes values from a value file.",
            discussion: """
                The next provider then answers for the flags. A key is removed in both shapes, flat and nested. Ends with \
                1 if one of the keys had no value. With - it reads standard input and writes the edited document to \
                standard output.

                  tackline unset flags.json secrets/boom_feature title
                """
        )

        @Argument(help: "The value file.", completion: .file()) var file: String
        @Argument(help: "The keys.", completion: .flagKeys) var keys: [String]
        @OptionGroup var content: ContentOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let commands = try ValueCommands(path: file, manifest: nil, as: content.name)
            let result = try commands.unset(keys, isJSON: output.isJSON)
            try FileWriting.tell(result.text, of: file)
            if !result.isComplete { throw CommandFailure.found }
        }
    }
#endif
