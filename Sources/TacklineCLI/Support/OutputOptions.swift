#if CommandLine
    public import ArgumentParser
    import TacklineCore
    import TacklineTargeting

    /// The options of every command with a result.
    struct OutputOptions: ParsableArguments {
        @ArgumentParser.Flag(name: .customLong("json"), help: "Print the result as JSON, for programs.")
        var isJSON = false

        /// Prints a result: an object with members for programs, or a text for people.
        ///
        /// - Parameters:
        ///   - command: The name of the command.
        ///   - members: The members of the object.
        ///   - path: The file that was written. If it went to standard output, the result goes to standard error.
        ///   - text: Returns the text.
        func print(
            _ command: String, _ members: [String: EncodedFlagValue], of path: String = "",
            _ text: (TextStyle) -> String
        ) throws(CommandFailure) {
            try (path == "-" ? CommandOutput.error : CommandOutput.standard).write(
                isJSON ? JSONReport.text(command, members) : text(TextStyle(for: .standard)))
        }
    }

    /// The option of commands that work on values to read a file as values even if it is recognized as something else.
    struct ContentOptions: ParsableArguments {
        @Option(
            name: .customLong("as"), help: "What the file holds, if not what it looks like: values, flagd or manifest.")
        var content: FlagFile.Content?
    }

    /// The options of every command that evaluates flag definitions for users.
    struct FractionalOptions: ParsableArguments {
        @Option(
            name: .customLong("fractional"),
            help: "The generation of fractional by which your evaluators split: v2 or v3.")
        var generation = FractionalVersion.v2
    }

    extension FlagFile.Content: ExpressibleByArgument {}
    extension FractionalVersion: ExpressibleByArgument {}

    extension [String] {
        /// The lines of a result, each with its end and with control characters escaped.
        var lines: String { map { SafeText.line($0, limit: .max) + "\n" }.joined() }
    }

    extension EncodedFlagValue {
        /// Returns a list of texts.
        static func texts(_ texts: some Sequence<String>) -> EncodedFlagValue { .array(texts.map { .string($0) }) }

        /// Returns a number of items.
        static func count(_ count: Int) -> EncodedFlagValue { .integer(Int128(count)) }
    }

    extension Int {
        /// Returns the number with a noun, such as `1 value` or `2 values`.
        func of(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
    }
#endif
