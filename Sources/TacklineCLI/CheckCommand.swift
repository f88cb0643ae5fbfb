#if CommandLine
    import ArgumentParser

    /// Checks files. What they mean is ``FlagFileCheck``'s business: this file imports ArgumentParser, whose `Flag` is not
    /// ours.
    struct CheckCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Reads files of flag values as the providers do, and says what is wrong with them.",
            discussion: """
                JSON by the name's ending .json, property lists by .plist and .xml. Prints a line for each file, and ends \
                with 1 if one of them cannot be used.
                """
        )

        @Argument(help: "The files.") var files: [String]

        func run() throws {
            let checks = files.map { FlagFileCheck(path: $0) }
            // A tool's output; nothing of this is in a library.
            for check in checks { print(check.line) }
            if checks.contains(where: { !$0.isUsable }) { throw ExitCode(1) }
        }
    }
#endif
