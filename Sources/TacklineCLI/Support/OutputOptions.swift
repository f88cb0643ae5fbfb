#if CommandLine
    import ArgumentParser

    /// What every command with a result takes.
    struct OutputOptions: ParsableArguments {
        @ArgumentParser.Flag(name: .customLong("json"), help: "Print the result as JSON, for programs.")
        var isJSON = false
    }
#endif
