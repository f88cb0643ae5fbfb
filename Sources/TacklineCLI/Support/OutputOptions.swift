#if CommandLine
    import ArgumentParser
    import TacklineTargeting

    /// The options of every command with a result.
    struct OutputOptions: ParsableArguments {
        @ArgumentParser.Flag(name: .customLong("json"), help: "Print the result as JSON, for programs.")
        var isJSON = false
    }

    /// The options of every command that evaluates flag definitions for users.
    struct FractionalOptions: ParsableArguments {
        @Option(
            name: .customLong("fractional"),
            help: "The generation of fractional by which your evaluators split: v2 or v3.")
        private var name = GenerationName.v2

        var generation: FractionalGeneration { name.generation }
    }

    /// The name of a generation on the command line.
    enum GenerationName: String, ExpressibleByArgument, CaseIterable {
        case v2, v3

        var generation: FractionalGeneration {
            switch self {
            case .v2: .v2
            case .v3: .v3
            }
        }
    }
#endif
