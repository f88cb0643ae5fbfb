#if CommandLine
    import ArgumentParser

    struct SetCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Sets a value in a value file.",
            discussion: """
                The value is JSON, or any other text, which then is a string. With a manifest the flag's type decides, and \
                refuses what the app would refuse; without one a value is not replaced by one of another sort unless you \
                say so, with --change-type. The file is made if it is not there, and written in one step, so that \
                a running app sees the old file or the new one; the layout of a JSON file is kept, \
                comments too. With - it reads standard input and writes the edited document to standard output.

                  tackline set flags.json secrets/boom_feature true
                  tackline set flags.json title "Hello" --manifest manifest.json
                  tackline set flags.json retries -- -1
                  curl -s https://cdn.example.com/flags.json | tackline set - sson true > flags.json
                """
        )

        @Argument(
            help: "The value file; - is standard input, and the result then goes to standard output.",
            completion: .file())
        var file: String
        @Argument(help: "The key.", completion: .flagKeys) var key: String
        @Argument(help: "The value: true, 3, [1, 2], or a text.") var value: String
        @ArgumentParser.Flag(help: "Take the value for a string whatever it looks like.") var string = false
        @ArgumentParser.Flag(help: "Replace a value by one of another sort.") var changeType = false
        @Option(help: "The manifest of the app.", completion: .file()) var manifest: String?
        @OptionGroup var content: ContentOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let commands = try ValueCommands(path: file, manifest: manifest, as: content.name)
            let text = try commands.set(
                key, to: value, isString: string, changesType: changeType, isJSON: output.isJSON)
            try FileWriting.tell(text, of: file)
        }
    }
#endif
