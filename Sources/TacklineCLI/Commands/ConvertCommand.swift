#if CommandLine
    import ArgumentParser

    struct ConvertCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "convert",
            abstract: "Turns JSON, property lists and flag definitions into each other.",
            discussion: """
                To flagd, each value becomes the default variant of a flag, a Boolean with the variants on and off; objects \
                are groups of flags unless a manifest says that a flag is one. From flagd, each flag gives its default \
                variant. What cannot be carried over is said on standard error. An existing output file is replaced.

                  tackline convert flags.json --to plist --output flags.plist
                  tackline convert flags.json --to flagd > rollout.flagd.json
                """
        )

        @Argument(help: "The file.", completion: .file()) var file: String
        @Option(help: "The format: json, plist, binary-plist or flagd.") var to: TargetFormat
        @Option(name: .shortAndLong, help: "The file to write; standard output otherwise.", completion: .file())
        var output: String?
        @Option(help: "The manifest of the app.", completion: .file()) var manifest: String?

        func run() throws {
            let (bytes, losses) = try FileConversion.convert(file, to: to, manifest: manifest)
            for loss in losses { CommandOutput.error.report("\(file): note: \(loss)") }
            if let output { return try FileWriting.write(bytes, to: output) }
            try CommandOutput.standard.write(bytes)
        }
    }

    /// The name of a format on the command line.
    enum TargetFormat: String, ExpressibleByArgument, CaseIterable {
        case json, plist, flagd
        case binaryPlist = "binary-plist"
    }
#endif
