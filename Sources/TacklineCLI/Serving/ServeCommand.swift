#if CommandLine
    import ArgumentParser

    /// The command that serves a document to the apps on a developer's machine.
    struct ServeCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "serve",
            abstract: "Serves a file of flags over HTTP while you edit it.",
            discussion: """
                For development: apps with a RemoteJSONProvider read the URL that is printed and, with the stream's URL \
                in their configuration, follow every change of the file at once. Property lists are served as JSON. A \
                file that is broken while you edit it is reported, and the last good one stays served.

                SDKs of OpenFeature, in any language, read the same file with their OFREP provider: give them the address \
                of the server as base URL. Rules are then evaluated here, for the context that they send.

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

        @Option(
            help: "A file with a key on each line, one of which clients show as X-API-Key or as a bearer's token.",
            completion: .file())
        var keyFile: String?

        @Option(help: "The origin of the web pages that may ask from a browser, or * for any.")
        var allowOrigin: String?

        @OptionGroup var fractional: FractionalOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if file == "-" { throw ValidationError("A file is served that can change; standard input cannot.") }
        }

        func run() async throws {
            try await DevelopmentServer(
                path: file, host: host, port: port, log: ServeLog(isJSON: output.isJSON),
                generation: fractional.generation, keyFile: keyFile, allowedOrigin: allowOrigin
            ).run()
        }
    }
#endif
