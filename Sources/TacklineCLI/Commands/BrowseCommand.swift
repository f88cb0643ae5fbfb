#if CommandLine
    import ArgumentParser
    import TacklineBrowser
    import TacklineCLibrary
    import TacklineCore
    import TacklineTerminal

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

        @OptionGroup var options: ContentOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let backend = try makeBackend()
            let abilities = TerminalAbilities.current
            let isInteractive =
                !output.isJSON && !list && search == nil && abilities.hasSequences && CommandOutput.standard.isTerminal
                && isatty(STDIN_FILENO) == 1
            guard isInteractive else { return try await printFlags(of: backend, abilities) }
            var terminal = FlagsTerminal(backend, abilities: abilities)
            terminal.address = isURL ? try ConsoleAddress(source).description : nil
            terminal.author.name = getenv("USER").map { String(cString: $0) }
            try await terminal.run().endProcess()
        }

        private var isURL: Bool { source.hasPrefix("http://") || source.hasPrefix("https://") }

        private func makeBackend() throws(CommandFailure) -> any FlagsBrowserBackend {
            if isURL {
                guard manifest == nil else {
                    throw CommandFailure("A manifest is for files; a console knows its flags.", status: .usage)
                }
                guard !readOnly else {
                    throw CommandFailure(
                        "--read-only is for files; whether a console can be edited is said where it is started.",
                        status: .usage)
                }
                let address = try ConsoleAddress(source)
                guard address.token == nil else { throw ConsoleToken.refusal(of: address) }
                return ConsoleBackend(try ConsoleToken(file: tokenFile).completed(address))
            }
            guard source != "-" else {
                throw CommandFailure(
                    "A file is browsed that can be edited; name one, not standard input.", status: .usage)
            }
            guard tokenFile == nil else {
                throw CommandFailure("--token-file is for a console; a file needs no token.", status: .usage)
            }
            let index = try manifest.map(ManifestIndex.init(path:))
            return try FileBackend(path: source, manifest: index?.manifest, as: options.content, isReadOnly: readOnly)
        }

        private func printFlags(of backend: any FlagsBrowserBackend, _ abilities: TerminalAbilities) async throws {
            let snapshot: FlagsBrowserSnapshot
            do throws(FlagsBrowserError) {
                snapshot = try await backend.snapshot()
            } catch {
                throw CommandFailure(error.message)
            }
            let filter = FlagsBrowserFilter(text: search ?? "")
            if output.isJSON {
                var shown = snapshot
                if !filter.isEmpty { shown.flags = snapshot.flags(matching: filter) }
                try CommandOutput.standard.write(JSONReport.text(of: shown.encoded))
            } else {
                let table = FlagsTable(snapshot, filter: filter, isUnicode: abilities.isUnicode)
                try CommandOutput.standard.write(table.text)
            }
        }
    }
#endif
