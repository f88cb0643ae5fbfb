#if CommandLine
    import ArgumentParser

    /// The name of a format for findings on the command line.
    enum FindingsFormatName: String, ExpressibleByArgument, CaseIterable {
        case text, json, github, sarif, junit
    }

    /// The options of commands that report findings.
    struct FindingsOptions: ParsableArguments {
        @Option(help: "How findings are printed: text, json, github (annotations), sarif or junit.")
        var format: FindingsFormatName?
        @OptionGroup var output: OutputOptions

        /// The requested format.
        var chosen: FindingsFormatName { format ?? (output.isJSON ? .json : .text) }

        func validate() throws {
            if output.isJSON, let format, format != .json { throw ValidationError("Say --json or --format, not both.") }
        }
    }
#endif
