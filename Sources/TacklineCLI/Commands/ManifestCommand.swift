#if CommandLine
    import ArgumentParser

    struct ManifestCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "manifest",
            abstract: "Shows the flags that an app declares, from the manifest that it exports.",
            discussion: """
                The app writes its manifest with one line, for example in a unit test or behind an argument:

                  try FlagManifest(loader).jsonText().write(to: url, atomically: true, encoding: .utf8)

                The manifest of the OpenFeature CLI is read too, and written with --format openfeature.

                  tackline manifest manifest.json
                  tackline manifest manifest.json --format openfeature > flags.openfeature.json
                """
        )

        @Argument(help: "The manifest.", completion: .file()) var file: String
        @Option(help: "table, json (the manifest's own form) or openfeature.") var format = ManifestFormat.table

        func run() throws {
            let (text, remarks) = try ManifestReport.run(file, format: format, style: TextStyle(for: .standard))
            for remark in remarks { CommandOutput.error.report("\(file): note: \(remark)") }
            try CommandOutput.standard.write(text)
        }
    }

    /// The name of a format on the command line.
    enum ManifestFormat: String, ExpressibleByArgument, CaseIterable {
        case table, json, openfeature
    }
#endif
