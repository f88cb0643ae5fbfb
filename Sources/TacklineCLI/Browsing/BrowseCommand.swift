#if CommandLine
    import ArgumentParser

    /// The command that shows flags in the terminal.
    struct BrowseCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "browse",
            abstract: "Shows flags in the terminal: why each has its value, and switches to change it.",
            discussion: """
                The source is the URL of a running app's console, a value file, or flag definitions. Of a value file, a \
                manifest tells types, defaults and descriptions; without one, the file's values are all that is known. Of \
                flag definitions it switches flags on and off and chooses the default variant; rules are tackline rollout's.

                A console wants the token that it printed. It is asked for without showing it, and there the whole URL can \
                be pasted; or it comes from --token-file, where - is standard input, or from the variable TACKLINE_TOKEN. On the \
                command line every user of the machine could see it, and the shell's history would keep it, so there it is \
                refused.

                Where the output is not a terminal, or with --list, it prints a table and ends. Press ? in the terminal for \
                the keys.

                  tackline browse http://127.0.0.1:8080/
                  tackline browse flags.json --manifest manifest.json
                  tackline browse flags.json --search checkout --json
                """
        )

        @Argument(help: "The URL of a console without its token, or a file.", completion: .file())
        var source: String

        @Option(
            help: ArgumentHelp("The manifest of the app that a file is for.", valueName: "file"), completion: .file())
        var manifest: String?

        @Option(help: "Words to search names, keys, values, descriptions, tags and owners for, in a list.")
        var search: String?

        @ArgumentParser.Flag(help: "Print a table, also to a terminal.")
        var list = false

        @ArgumentParser.Flag(help: "Show only: a file is not edited.")
        var readOnly = false

        @Option(
            help: ArgumentHelp("The file with a console's token; - is standard input.", valueName: "file"),
            completion: .file())
        var tokenFile: String?

        @OptionGroup var content: ContentOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await Browsing(
                source: source, manifestPath: manifest, search: search, isList: list || search != nil,
                isReadOnly: readOnly, isJSON: output.isJSON,
                content: content.name?.content, token: ConsoleToken(file: tokenFile)
            ).run()
        }
    }
#endif
