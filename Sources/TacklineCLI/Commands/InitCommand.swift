#if CommandLine
    import ArgumentParser
    import TacklineCore
    import TacklineManifest

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
        @Option(name: .customLong("as"), help: "What it is to hold: values or flagd.") var content: FlagFile.Content?

        func validate() throws {
            if content == .manifest {
                throw ValidationError("A manifest is what an app exports: try FlagManifest(loader).jsonText().")
            }
        }

        func run() throws {
            let flags = try manifest.map(ManifestIndex.init(path:))?.manifest.allFlags ?? []
            let isDefinitions = content == .flagd || content == nil && file.lowercased().hasSuffix(".flagd.json")
            var values: [String: EncodedFlagValue] = [:]
            var losses: [String] = []
            for flag in flags {
                guard let value = flag.defaultValue, value != .null else {
                    losses.append(flag.key)
                    continue
                }
                values[flag.key] = isDefinitions ? FileConversion.definition(of: value, cases: flag.type.cases) : value
            }
            let count = values.count.of(isDefinitions ? "flag definition" : "value")
            if isDefinitions { values = FileConversion.document(of: values) }
            let format = isDefinitions ? .json : FileWriting.format(ofNewFile: file)
            var bytes = try FileWriting.bytes(of: values, format: format)
            if format == .json { bytes = FlagJSONFormatter(bytes).formatted }
            try write(bytes)
            var lines = ["\(file): made, with \(count)."]
            if !losses.isEmpty {
                lines.append("Without a default, and so left out: \(losses.joined(separator: ", ")).")
            }
            lines.append(isDefinitions ? "Next: tackline flag add \(file) KEY" : "Next: tackline set \(file) KEY VALUE")
            try FileWriting.tell(lines.lines, of: file)
        }

        /// Writes the new file, if there is none.
        private func write(_ bytes: [UInt8]) throws(CommandFailure) {
            if file == "-" { return try CommandOutput.standard.write(bytes) }
            try FileWriting.rewrite(file) { old throws(CommandFailure) in
                guard old == nil else {
                    throw CommandFailure("\(file) is there already, and stays as it is; name a new file.")
                }
                return bytes
            }
        }
    }
#endif
