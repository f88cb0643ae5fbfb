#if CommandLine
    import ArgumentParser

    /// The command-line tool.
    @main
    struct TacklineCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "tackline",
            abstract: "Looks after files of feature flags.",
            subcommands: [CheckCommand.self]
        )
    }
#else
    import Foundation

    /// Stands in for the tool where the package was built without its trait.
    @main
    struct TacklineCommand {
        static func main() {
            let text =
                "The tool was built without the package trait CommandLine: swift run --traits CommandLine tackline\n"
            FileHandle.standardError.write(Data(text.utf8))
            exit(1)
        }
    }
#endif
