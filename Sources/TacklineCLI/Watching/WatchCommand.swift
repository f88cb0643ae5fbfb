#if CommandLine
    import ArgumentParser

    /// The command that follows a document on a server.
    struct WatchCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "watch",
            abstract: "Prints the changes of a document on a server as they arrive.",
            discussion: """
                Asks as an app with a RemoteJSONProvider does: with ETags, at intervals, and at once where the server has \
                an event stream. Errors are printed, and it goes on; but if the first request fails it ends with 2, unless \
                it is to keep trying.

                Ends with control-C: with 0 if there ever was a document, else with 2. With --count it ends after so many \
                changes. If the server refuses (401, 404 and the like) before there was a document it ends with 2 in any \
                case.

                  tackline watch https://cdn.example.com/flags.json
                  tackline watch http://127.0.0.1:8642/flags.json --events http://127.0.0.1:8642/events --json
                """
        )

        @Argument(help: "The document's URL, http or https.")
        var url: String

        @Option(help: ArgumentHelp("The URL of the event stream of changes.", valueName: "url"))
        var events: String?

        @Option(help: "How many seconds to wait between two requests, at least 30.")
        var interval: Int = 30

        @Option(help: "End after this many changed values.")
        var count: Int?

        @ArgumentParser.Flag(help: "Wait for a server that cannot be reached yet.")
        var keepTrying = false

        @OptionGroup var output: OutputOptions

        func validate() throws {
            if interval < 30 {
                throw ValidationError("--interval is at least 30; use --events to get changes at once.")
            }
            if let count, count < 1 { throw ValidationError("--count is at least 1.") }
        }

        func run() async throws {
            try await FlagWatch(
                url: url, eventsURL: events, interval: .seconds(interval), limit: count, keepsTrying: keepTrying,
                log: ServeLog(isJSON: output.isJSON)
            ).run()
        }
    }
#endif
