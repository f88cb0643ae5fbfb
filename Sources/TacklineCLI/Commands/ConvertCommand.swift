#if CommandLine
    import ArgumentParser
    import TacklineCore

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
            let index = try manifest.map(ManifestIndex.init(path:))
            let source = try FlagFile(path: file)
            let conversion: FileConversion
            switch (source.content, to) {
            case (.manifest, _):
                throw CommandFailure("\(file) holds a manifest; tackline manifest --format openfeature converts it.")
            case (.values, .flagd): conversion = .definitions(of: source, index)
            case (.flagd, .flagd), (.values, _): conversion = FileConversion(members: source.members)
            case (.flagd, _): conversion = .values(of: try source.definitions())
            }
            let bytes = try FileWriting.bytes(of: conversion.members, format: to.format)
            for loss in conversion.losses { CommandOutput.error.report("\(file): note: \(loss)") }
            try FileWriting.write(bytes, to: output ?? "-")
        }
    }

    /// The name of a format on the command line.
    enum TargetFormat: String, ExpressibleByArgument, CaseIterable {
        case json, plist, flagd
        case binaryPlist = "binary-plist"

        fileprivate var format: FlagFile.Format {
            switch self {
            case .json, .flagd: .json
            case .plist: .xmlPropertyList
            case .binaryPlist: .binaryPropertyList
            }
        }
    }
#endif
