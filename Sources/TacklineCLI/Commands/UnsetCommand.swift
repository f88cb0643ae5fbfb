#if CommandLine
    import ArgumentParser
    import TacklineCore

    struct UnsetCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "unset",
            abstract: "Removes values from a value file.",
            discussion: """
                The next provider then answers for the flags. A key is removed in both forms, flat and nested. Ends with \
                1 if one of the keys had no value. With - it reads standard input and writes the edited document to \
                standard output.

                  tackline unset flags.json secrets/boom_feature title
                """
        )

        @Argument(help: "The value file.", completion: .file()) var file: String
        @Argument(help: "The keys.") var keys: [String]
        @OptionGroup var options: ContentOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            // Without this check, the removal would create a missing file.
            if file != "-" { _ = try FlagFile(path: file, as: options.content) }
            let edit = try ValueFileEdit(keys.map { (FlagKeyPath($0), nil) }, as: options.content, to: file)
            let absent = keys.filter { edit.before[FlagKeyPath($0)] == nil }
            let removed = keys.filter { edit.before[FlagKeyPath($0)] != nil }
            try output.print("unset", ["removed": .texts(removed), "absent": .texts(absent)], of: file) { _ in
                let lines = keys.map { key in
                    let old = edit.before[FlagKeyPath(key)]
                    return old.map { "\(key) removed (was \(ValueArgument.json($0)))" } ?? "\(key) had no value"
                }
                return (lines + edit.remarks).lines
            }
            if !absent.isEmpty { throw CommandFailure.found }
        }
    }
#endif
