#if CommandLine
    import ArgumentParser

    /// Serves a document to the apps on a developer's machine.
    struct ServeCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "serve",
            abstract: "Serves a file of flags over HTTP while you edit it.",
            discussion: """
                For development: apps with a RemoteJSONProvider read the URL that is printed and, with the stream's URL \
                in their configuration, follow every change of the file at once. Property lists are served as JSON. A \
                file that is broken while you edit it is reported, and the last good one stays served.

                Each request is printed. Ends with control-C.

                  tackline serve flags.json
                  tackline watch http://127.0.0.1:8642/flags.json --events http://127.0.0.1:8642/events
                """
        )

        @Argument(help: "The file: values or flag definitions as JSON, or values as a property list.")
        var file: String

        @Option(help: "The port. 0 takes one that is free.")
        var port: UInt16 = 8642

        @Option(help: "The address to listen on. 0.0.0.0 lets devices on your network in, without any password.")
        var host = "127.0.0.1"

        @OptionGroup var output: OutputOptions

        func validate() throws {
            if file == "-" { throw ValidationError("A file is served that can change; standard input cannot.") }
        }

        func run() async throws {
            try await DevelopmentServer(
                path: file, host: host, port: port, log: ServeLog(isJSON: output.isJSON)
            ).run()
        }
    }
#endif
