#if CommandLine
    import ArgumentParser
    import Foundation
    import TacklineCore
    import TacklineFiles
    import TacklineManifest
    import TacklineRemoteJSON
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
                flag definitions it finds misspelt attributes, which resemble those of the manifest or of --context.

                With --versions, a folder of the manifests of an app's versions, 5.1.json and so on, it says which versions \
                refuse a value or do not know its flag, which flags have changed, and what users of each version get.

                  tackline validate flags.json rollout.flagd.json
                  tackline validate --manifest manifest.json flags.json
                  tackline validate flags.json --versions manifests --min 5.2
                  tackline validate flags.json --format github
                  tackline validate --schema --manifest manifest.json > flags.schema.json
                """
        )

        @Argument(help: "The files; - is standard input.", completion: .file()) var files: [String] = []
        @Option(help: "The manifest of the app, see the command manifest.", completion: .file()) var manifest: String?
        @Option(
            help: "A folder with the manifest of each version of the app: 5.1.json, 5.2.json.", completion: .directory)
        var versions: String?
        @Option(name: .customLong("min"), help: "The oldest version that counts, with --versions.") var minimum: String?
        @Option(
            help: "A context such as the app makes, as JSON: what rules may ask for, by name.",
            completion: .file())
        var context: String?
        @Option(name: .customLong("as"), help: "What the files hold: values, flagd or manifest.") var content:
            FlagFile.Content?
        @ArgumentParser.Flag(
            help: "Print a JSON Schema of the app's value files for editors instead; needs --manifest.")
        var schema = false
        @ArgumentParser.Flag(help: "Treat warnings as errors.") var strict = false
        @OptionGroup var fractional: FractionalOptions
        @OptionGroup var output: FindingsOptions

        func validate() throws {
            if !schema, files.isEmpty { throw ValidationError("Name at least one file.") }
            if schema, !files.isEmpty { throw ValidationError("--schema prints a schema and takes no files.") }
            if minimum != nil, versions == nil { throw ValidationError("--min needs --versions.") }
            if schema, versions != nil { throw ValidationError("--schema takes no --versions.") }
            if schema, manifest == nil { throw ValidationError("--schema needs --manifest.") }
        }

        func run() throws {
            let versions = try versions.map { folder throws(CommandFailure) in
                try AppVersions(folder: folder, minimum: minimum)
            }
            let attributes = try context.map(attributes)
            let index = try manifest.map(ManifestIndex.init(path:))
            if schema, let index {
                return try CommandOutput.standard.write(
                    JSONReport.text(of: ValueFileSchema(index.manifest).document))
            }
            let now = Date()
            let checks = files.map { file in
                FileCheck(
                    path: file, as: content, against: index, versions: versions, attributes: attributes,
                    generation: fractional.generation, isStrict: strict, now: now)
            }
            let results = checks.map { FindingsFormat.File(path: $0.path, findings: $0.findings, isGood: $0.isGood) }
            let members: [String: EncodedFlagValue] = [
                "files": .array(checks.map(\.encoded)), "isGood": .bool(checks.allSatisfy(\.isGood)),
            ]
            try output.print(FindingsFormat(command: "validate", files: results), members) { style in
                checks.map { $0.text(style) }.joined()
            }
        }

        /// Returns the names of the attributes in an example of a context.
        private func attributes(_ path: String) throws(CommandFailure) -> [String] {
            guard case .object(let members) = try InputFile(path: path).json() else {
                throw CommandFailure(
                    "\(path) has to be a context, an object of attributes: { \"email\": \"ada@example.com\", \"age\": 36 }."
                )
            }
            return Array(members.keys)
        }
    }

    /// The result of `validate` for one file.
    struct FileCheck {
        let path: String
        /// The content of the file; `nil` if the file could not be read.
        var content: FlagFile.Content?
        /// The number of flags, or of values at the top level.
        var count = 0
        var findings: [Finding] = []
        /// The values that users of each version of the app get, if they differ.
        private(set) var versionsTable = ""

        /// Whether warnings count as errors.
        let isStrict: Bool

        var isGood: Bool { findings.allSatisfy { $0.severity == .note || $0.severity == .warning && !isStrict } }

        /// Checks a file. A file that cannot be read gives a finding; nothing is thrown.
        init(
            path: String, as content: FlagFile.Content?, against index: ManifestIndex?, versions: AppVersions?,
            attributes: [String]?, generation: FractionalVersion, isStrict: Bool = false, now: Date
        ) {
            self.path = path
            self.isStrict = isStrict
            let file: FlagFile
            do throws(CommandFailure) {
                file = try FlagFile(path: path, as: content)
            } catch {
                let message = error.message.replacing("\(path) ", with: "", maxReplacements: 1)
                findings = [error.finding ?? Finding(severity: .error, path: path, message: message)]
                return
            }
            self.content = file.content
            switch file.content {
            case .values:
                count = file.values.count
                if let index { findings = ManifestCheck.findings(inValuesOf: file, against: index, now: now) }
            case .flagd:
                switch file.members["flags"] {
                case .object(let flags)?: count = flags.count
                case .array(let flags)?: count = flags.count
                default: break
                }
                findings = DefinitionsCheck.findings(
                    in: file, against: index, attributes: attributes, generation: generation, now: now)
            case .manifest:
                checkManifest(file)
            }
            if let versions {
                let result = VersionsCheck.run(file, against: versions)
                findings += result.findings
                versionsTable = result.table
            }
            if let reason = FileCheck.remoteRefusal(of: file) {
                let message = "a RemoteJSONProvider with its default configuration refuses this document: \(reason)"
                findings.append(Finding(severity: .warning, path: path, message: message))
            }
        }

        /// The reason why a remote provider would refuse a document that is within the limits of files, with the setting
        /// to change; `nil` if it would not, and for files that are no JSON document of values or definitions.
        private static func remoteRefusal(of file: FlagFile) -> String? {
            guard file.format == .json, file.content != .manifest else { return nil }
            let configuration = RemoteJSONProvider.Configuration()
            let limit = configuration.maximumBodyBytes
            guard file.input.bytes.count <= limit else {
                return "it has more than \(limit.byteText), its maximumBodyBytes; raise that, or split the document"
            }
            do {
                let format = file.content == .flagd ? FlagDocumentFormat.flagd : .values
                _ = try format.document(json: Data(file.input.bytes), limits: FlagJSONReader.Limits())
                return nil
            } catch {
                return "\(error)"
            }
        }

        private mutating func checkManifest(_ file: FlagFile) {
            do {
                let manifest = try FlagManifest(.object(file.members))
                count = manifest.allFlags.count
                let index = ManifestIndex(manifest)
                findings = index.sharedKeyFindings(in: path)
            } catch {
                findings = [
                    Finding(
                        severity: .error, path: path, position: file.locate([error.path])[0], message: error.description
                    )
                ]
            }
        }

        /// Returns the findings with, if the file is good, a line that says so, and the table of versions.
        func text(_ style: TextStyle) -> String {
            let lines = findings.map { $0.line(style) } + (isGood ? [summary(style)] : [])
            return lines.map { $0 + "\n" }.joined() + versionsTable
        }

        private func summary(_ style: TextStyle) -> String {
            let counted = count.of(content == .values ? "value" : "flag")
            let kind =
                switch content {
                case .values?: "\(counted) at the top"
                case .flagd?: "flag definitions, \(counted)"
                case .manifest?: "a manifest, \(counted)"
                case nil: "not read"
                }
            let warnings = findings.count { $0.severity == .warning }
            let but = warnings == 0 ? "" : " but for \(warnings.of("warning"))"
            return "\(SafeText.line(path)): \(style.green("good"))\(but): \(kind)"
        }

        /// The result for programs.
        var encoded: EncodedFlagValue {
            [
                "path": .string(path), "content": content.map { .string($0.rawValue) } ?? .null,
                "count": .count(count), "isGood": .bool(isGood), "findings": .array(findings.map(\.encoded)),
            ]
        }
    }

    /// Checks of flag definitions against flagd's schema and the flags that an app declares.
    enum DefinitionsCheck {
        /// Returns all problems, in the order of the file.
        ///
        /// - Parameters:
        ///   - attributes: The attributes of an example context; `nil` if there is no example.
        ///   - generation: The generation of `fractional`, which determines what a split may bucket by.
        static func findings(
            in file: FlagFile, against index: ManifestIndex?, attributes: [String]?,
            generation: FractionalVersion, now: Date
        ) -> [Finding] {
            var marks = FindingMarks()
            let definitions = try? FlagDefinitions(.object(file.members), fractional: generation)
            let problems =
                definitions?.validate(attributes: ManifestIndex.attributes(index, attributes))
                ?? FlagDefinitions.validate(.object(file.members))
            for problem in problems {
                marks.add(
                    problem.isError ? .error : .warning, JSONPointer.components(problem.path),
                    problem.flagKey, "\(problem.path): \(problem.message)")
            }
            guard let index, let definitions else { return marks.findings(in: file) }
            return ManifestCheck.findings(inDefinitionsOf: file, definitions, against: index, now: now, marks)
        }
    }
#endif
