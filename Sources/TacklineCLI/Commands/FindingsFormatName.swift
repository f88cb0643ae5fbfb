#if CommandLine
    import ArgumentParser

    /// How findings are printed, as it is typed.
    enum FindingsFormatName: String, ExpressibleByArgument, CaseIterable {
        case text, json, github, sarif, junit
    }

    /// What commands take that find something.
    struct FindingsOptions: ParsableArguments {
        @Option(help: "How findings are printed: text, json, github (annotations), sarif or junit.")
        var format: FindingsFormatName?
        @OptionGroup var output: OutputOptions

        /// The one that was asked for.
        var chosen: FindingsFormatName { format ?? (output.isJSON ? .json : .text) }

        func validate() throws {
            if output.isJSON, let format, format != .json { throw ValidationError("Say --json or --format, not both.") }
        }
    }
#endif
