#if CommandLine
    import ArgumentParser

    /// Shows flags in the terminal.
    struct BrowseCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "browse",
            abstract: "Shows flags in the terminal: why each has its value, and switches to change it.",
            discussion: """
                The source is the URL that a running app's console printed, with its token, or a value file. Of a file, a \
                manifest tells types, defaults and descriptions; without one, the file's values are all that is known.

                Where the output is no terminal, or with --list, it prints a table and ends. Press ? in the terminal for \
                the keys.

                  tackline browse 'http://127.0.0.1:8080/?token=…'
                  tackline browse flags.json --manifest manifest.json
                  tackline browse flags.json --search checkout --json
                """
        )

        @Argument(help: "The URL of a console, or a value file.", completion: .file())
        var source: String

        @Option(
            help: ArgumentHelp("The manifest of the app that a file is for.", valueName: "file"), completion: .file())
        var manifest: String?

        @Option(help: "Words to search names, keys, descriptions, tags and owners for, in a list.")
        var search: String?

        @ArgumentParser.Flag(help: "Print a table, also to a terminal.")
        var list = false

        @ArgumentParser.Flag(help: "Show only: a file is not edited.")
        var readOnly = false

        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await Browsing(
                source: source, manifestPath: manifest, search: search, isList: list || search != nil,
                isReadOnly: readOnly, isJSON: output.isJSON
            ).run()
        }
    }
#endif
