#if CommandLine
    import TacklineBrowser
    import TacklineCore
    import TacklineFormats
    import TacklineTerminal
    import TacklineCLibrary

    /// The work of `browse`: it shows the flags of a source in the terminal, or prints them.
    struct Browsing {
        let source: String
        let manifestPath: String?
        let search: String?
        let isList: Bool
        let isReadOnly: Bool
        let isJSON: Bool
        let content: FlagFile.Content?
        let token: ConsoleToken

        func run() async throws {
            let backend = try makeBackend()
            let abilities = TerminalAbilities.current
            let isInteractive =
                !isJSON && !isList && abilities.hasSequences && CommandOutput.standard.isTerminal
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
                guard manifestPath == nil else {
                    throw CommandFailure("A manifest is for files; a console knows its flags.", status: .usage)
                }
                guard !isReadOnly else {
                    throw CommandFailure(
                        "--read-only is for files; whether a console can be edited is said where it is started.",
                        status: .usage)
                }
                let address = try ConsoleAddress(source)
                guard address.token == nil else { throw ConsoleToken.refusal(of: address) }
                return ConsoleBackend(try token.completed(address))
            }
            guard source != "-" else {
                throw CommandFailure(
                    "A file is browsed that can be edited; name one, not standard input.", status: .usage)
            }
            guard token.file == nil else {
                throw CommandFailure("--token-file is for a console; a file needs no token.", status: .usage)
            }
            let manifest = try manifestPath.map { path throws(CommandFailure) in try ManifestIndex(path: path).manifest
            }
            return try FileBackend(path: source, manifest: manifest, as: content, isReadOnly: isReadOnly)
        }

        private func printFlags(of backend: any FlagsBrowserBackend, _ abilities: TerminalAbilities) async throws {
            let snapshot: FlagsBrowserSnapshot
            do throws(FlagsBrowserError) {
                snapshot = try await backend.snapshot()
            } catch {
                throw CommandFailure(error.message)
            }
            let filter = FlagsBrowserFilter(text: search ?? "")
            if isJSON {
                var shown = snapshot
                if !filter.isEmpty { shown.flags = snapshot.flags(matching: filter) }
                let text: String
                do {
                    text = try FlagJSONWriter().text(of: try shown.encoded)
                } catch {
                    throw CommandFailure("The flags cannot be written as JSON: \(error).")
                }
                try CommandOutput.standard.write(text)
            } else {
                let table = FlagsTable(snapshot, filter: filter, isUnicode: abilities.isUnicode)
                try CommandOutput.standard.write(table.text)
            }
        }
    }
#endif
