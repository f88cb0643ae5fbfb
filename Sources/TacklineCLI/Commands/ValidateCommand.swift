#if CommandLine
    import ArgumentParser
    import Foundation
    import TacklineCore
    import TacklineTargeting

    struct ValidateCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "validate",
            abstract: "Checks value files, flag definitions and manifests.",
            discussion: """
                Prints a line for each thing that is wrong, with file, line, column and what to do about it, in the form \
                that editors and CI systems understand. Ends with 1 if there is an error, and with --strict also if there is a \
                warning.

                JSON and property lists are told apart by the ending .plist or .xml, and what a file holds by its \
                members, unless --as says it. With a manifest, values are compared with what the app declares: unknown \
                keys, wrong types, keys that are there twice, expired flags, and as a note those without a value. Of \
                flag definitions it finds attributes that no context has, as the manifest or --context says it, and \
                whom they break a constraint for that the document or the manifest carries.

                With --versions, a folder of the manifests of an app's versions, 5.1.json and so on, it says which versions \
                refuse a value or do not know its flag, which flags have changed, and what users of each version get.

                  tackline validate flags.json rollout.flagd.json
                  tackline validate --manifest manifest.json flags.json
                  tackline validate flags.json --versions manifests --min 5.2
                  tackline validate flags.json --format github
                  tackline validate --schema values --manifest manifest.json > flags.schema.json
                """
        )

        @Argument(help: "The files; - is standard input.", completion: .file()) var files: [String] = []
        @Option(help: "The manifest of the app, see the command manifest.", completion: .file()) var manifest: String?
        @Option(
            help: "A folder with the manifest of each version of the app: 5.1.json, 5.2.json.", completion: .directory)
        var versions: String?
        @Option(name: .customLong("min"), help: "The oldest version that counts, with --versions.") var minimum: String?
        @Option(
            help: "A context such as the app makes, as JSON: what rules may ask for, by name and type.",
            completion: .file())
        var context: String?
        @Option(name: .customLong("as"), help: "What the files hold: values, flagd or manifest.") var content:
            FlagFile.Content?
        @Option(help: "Print a JSON Schema for editors instead: values (needs --manifest), flagd or manifest.")
        var schema: FlagFile.Content?
        @ArgumentParser.Flag(help: "Treat warnings as errors.") var strict = false
        @OptionGroup var fractional: FractionalOptions
        @OptionGroup var output: FindingsOptions

        func validate() throws {
            if schema == nil, files.isEmpty { throw ValidationError("Name at least one file.") }
            if schema != nil, !files.isEmpty { throw ValidationError("--schema prints a schema and takes no files.") }
            if minimum != nil, versions == nil { throw ValidationError("--min needs --versions.") }
            if schema != nil, versions != nil { throw ValidationError("--schema takes no --versions.") }
            if schema == .values, manifest == nil { throw ValidationError("--schema values needs --manifest.") }
        }

        func run() throws {
            if let schema { return try CommandOutput.standard.write(JSONReport.text(of: document(schema))) }
            let versions = try versions.map { folder throws(CommandFailure) in
                try AppVersions(folder: folder, minimum: minimum)
            }
            let attributes = try context.map(attributes)
            let index = try manifest.map(ManifestIndex.init(path:))
            let progress = ProgressReport("Checking")
            let now = Date()
            let checks = files.enumerated().map { position, file in
                progress.advance(to: position, of: files.count)
                return FileCheck(
                    path: file, as: content, against: index, versions: versions, attributes: attributes,
                    generation: fractional.generation, isStrict: strict, now: now)
            }
            progress.finish()
            let results = checks.map { FindingsFormat.File(path: $0.path, findings: $0.findings, isGood: $0.isGood) }
            let members: [String: EncodedFlagValue] = [
                "files": .array(checks.map(\.encoded)), "isGood": .bool(checks.allSatisfy(\.isGood)),
            ]
            try output.print(FindingsFormat(command: "validate", files: results), members) { style in
                checks.map { $0.text(style) }.joined()
            }
        }

        /// Returns a JSON Schema for editors.
        private func document(_ content: FlagFile.Content) throws(CommandFailure) -> EncodedFlagValue {
            switch content {
            case .flagd: return FixedSchemas.flagd
            case .manifest: return FixedSchemas.manifest
            case .values:
                guard let manifest else { throw CommandFailure("--schema values needs --manifest.", status: .usage) }
                return ValueFileSchema(try ManifestIndex(path: manifest).manifest).document
            }
        }

        /// Returns the names and types of the attributes in an example of a context.
        private func attributes(_ path: String) throws(CommandFailure) -> [String: FlagValueType] {
            guard case .object(let members) = try InputFile(path: path).json() else {
                throw CommandFailure(
                    "\(path) has to be a context, an object of attributes: { \"email\": \"ada@example.com\", \"age\": 36 }."
                )
            }
            return members.compactMapValues { FlagValueType($0) }
        }
    }
#endif
