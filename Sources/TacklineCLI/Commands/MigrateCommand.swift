#if CommandLine
    import ArgumentParser

    struct MigrateCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "migrate",
            abstract: "Turns a file of RealFlags' LocalProvider into a value file.",
            discussion: """
                Shows what would be written, flag by flag, and what does not fit. Prefix, separator and transform are those \
                that the app gave to RealFlags. With a manifest, old keys become the flags' keys of now and values are \
                converted to the flags' types; without one, keys stay and JSON inside of data is unpacked. With --write \
                the values go to a value file, where one that is there already stays. The old file is only read. Ends \
                with 1 if a value does not fit.

                  tackline migrate flags.plist --manifest manifest.json --prefix myapp
                  tackline migrate flags.plist --manifest manifest.json --prefix myapp --write overrides.json
                """
        )

        @Argument(help: "The file that RealFlags wrote.", completion: .file()) var file: String
        @Option(help: "The manifest of the app.", completion: .file()) var manifest: String?
        @Option(help: "The prefix of RealFlags' KeyConfiguration.") var prefix: String?
        @Option(help: "The pathSeparator of RealFlags' KeyConfiguration.") var separator = "/"
        @Option(help: "The keyTransform of RealFlags' KeyConfiguration: snake, kebab or none.") var transform =
            TransformName.snake
        @Option(help: "The value file to write; it is made if it is not there.", completion: .file()) var write: String?
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if separator.isEmpty { throw ValidationError("--separator needs at least one character.") }
            if write == "-" {
                throw ValidationError("--write needs a file, since values that stand there already stay.")
            }
        }

        func run() throws {
            let migration = try Migration(
                of: file, manifest: manifest, prefix: prefix, separator: separator, transform: transform)
            let outcome = try migration.run(target: write)
            try CommandOutput.standard.write(
                output.isJSON ? outcome.json() : outcome.text(TextStyle(for: .standard)))
            if !outcome.refused.isEmpty { throw CommandFailure.found }
        }
    }

    /// The name of a transform on the command line.
    enum TransformName: String, ExpressibleByArgument, CaseIterable {
        case snake, kebab, none
    }
#endif
