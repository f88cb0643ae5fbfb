#if CommandLine
    import ArgumentParser

    struct SimulateCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "simulate",
            abstract: "Tries flag definitions on many users, and shows the split beside the one to be expected.",
            discussion: """
                A file of users is a JSON list of targeting keys, or of objects with a targetingKey and attributes. What \
                grows over time is tried as of now, or as of the moment that --at says.

                  tackline simulate rollout.flagd.json reservations
                  tackline simulate rollout.flagd.json reservations --users users.json --svg split.svg
                  tackline simulate rollout.flagd.json reservations --at 2027-01-31T12:00:00Z
                """
        )

        @Argument(help: "The flag definitions.", completion: .file()) var file: String
        @Argument(help: "The key of the flag; all of them otherwise.", completion: .flagKeys) var flag: String?
        @Option(help: "How many synthetic users, user-1 and on, or a file that lists users.", completion: .file())
        var users = "10000"
        @Option(help: "The moment that rules see, such as 2027-01-31T12:00:00Z, or the day alone; now otherwise.")
        var at: String?
        @Option(help: "A file for a picture of one flag's split.", completion: .file()) var svg: String?
        @OptionGroup var fractional: FractionalOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            if svg == "-" { throw ValidationError("--svg needs a file; standard output has the table.") }
            if svg != nil, flag == nil { throw ValidationError("--svg needs the key of one flag.") }
            let (text, picture) = try SimulationReport.run(
                file, fractional.generation, key: flag, at: at, users: users, isJSON: output.isJSON)
            if let svg { try FileWriting.write(Array(picture.utf8), to: svg) }
            try CommandOutput.standard.write(text)
        }
    }
#endif
