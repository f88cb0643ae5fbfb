#if CommandLine
    import ArgumentParser

    struct InitCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "init",
            abstract: "Makes a file of flags to begin with.",
            discussion: """
                A value file, or flag definitions if the name ends with .flagd.json or --as says it. With a manifest it has \
                each of the app's flags with its default. A file that is there stays.

                  tackline init flags.json --manifest manifest.json
                  tackline init rollout.flagd.json
                """
        )

        @Argument(help: "The new file.", completion: .file()) var file: String
        @Option(help: "The manifest of the app.", completion: .file()) var manifest: String?
        @Option(name: .customLong("as"), help: "What it is to hold: values or flagd.") var content: ContentName?

        func validate() throws {
            if content == .manifest {
                throw ValidationError("A manifest is what an app exports: try FlagManifest(loader).jsonText().")
            }
        }

        func run() throws {
            try FileWriting.tell(NewFile.make(file, as: content, manifest: manifest), of: file)
        }
    }
#endif
