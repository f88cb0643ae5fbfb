#if CommandLine
    import ArgumentParser

    struct GenerateCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "generate",
            abstract: "Writes source code for flags.",
            subcommands: [SwiftSource.self]
        )

        struct SwiftSource: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "swift",
                abstract: "Writes a flag collection in Swift from a manifest or from flag definitions.",
                discussion: """
                    Keys, types, defaults and metadata become those of the file; a list of cases becomes an enum. Of \
                    definitions, the type is that of the variants, and the default the default variant. The manifest of \
                    what is written says the same as the one that it was written from. What cannot be carried over is \
                    said on standard error.

                      tackline generate swift manifest.json --output Sources/App/AppFlags.swift
                      tackline generate swift rollout.flagd.json --name RolloutFlags
                    """
            )

            @Argument(help: "The manifest, or flag definitions.", completion: .file()) var file: String
            @Option(help: "The name of the collection.") var name: String?
            @Option(name: .shortAndLong, help: "The file to write; standard output otherwise.", completion: .file())
            var output: String?

            func run() throws {
                let (text, remarks) = try SwiftGenerator.run(file, name: name)
                for remark in remarks { CommandOutput.error.report("\(file): note: \(remark)") }
                try FileWriting.write(Array(text.utf8), to: output ?? "-")
            }
        }
    }
#endif
