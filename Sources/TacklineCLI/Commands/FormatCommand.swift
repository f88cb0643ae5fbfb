#if CommandLine
    import ArgumentParser
    import TacklineTerminal

    struct FormatCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "fmt",
            abstract: "Lays JSON files out in one stable way.",
            discussion: """
                Members are sorted by key, between blank lines, and indented by two blanks; what fits into 64 characters stays \
                in one line. Comments are kept with what they stand in front of or behind; numbers and strings stay as they are written. With \
                --check nothing is written, and it ends with 1 if a file is not formatted. With - it reads standard input \
                and writes to standard output.

                  tackline fmt flags.json rollout.flagd.json
                  tackline fmt --check flags.json
                """
        )

        @Argument(help: "The files; - is standard input.", completion: .file()) var files: [String]
        @ArgumentParser.Flag(help: "Only say which files are not formatted.") var check = false

        func run() throws {
            var isFormatted = true
            for file in files where try FileFormatting.run(file, isTrial: check) {
                isFormatted = false
                let name = SafeText.line(file)
                let text = check ? "\(name): not formatted; tackline fmt does it\n" : "\(name): formatted\n"
                try check ? CommandOutput.standard.write(text) : FileWriting.tell(text, of: file)
            }
            if check, !isFormatted { throw CommandFailure.found }
        }
    }
#endif
