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
                keys, wrong types, keys that are there twice, expired flags, and with --missing those without a value. Of \
                flag definitions it finds misspelt attributes, which resemble those of --context.

                With --versions, a manifest for each version of the app that people use, it names the versions whose users \
                a value would fail.

                  tackline validate flags.json rollout.flagd.json
                  tackline validate --manifest manifest.json flags.json
                  tackline validate --versions 5.1=old.json --versions 5.2=new.json flags.json
                  tackline validate flags.json --format github
                  tackline validate --schema --manifest manifest.json > flags.schema.json
                """
        )

        @Argument(help: "The files; - is standard input.", completion: .file()) var files: [String] = []
        @Option(help: "The manifest of the app, see the command manifest.", completion: .file()) var manifest: String?
        @ArgumentParser.Flag(help: "Note the flags without a value; needs --manifest.") var missing = false
        @Option(
            help: ArgumentHelp(
                "A version of the app with its manifest; several times for several.", valueName: "version=file"))
        var versions: [String] = []
        @Option(
            help: "A context such as the app makes, as JSON: what rules may ask for, by name.",
            completion: .file())
        var context: String?
        @ArgumentParser.Flag(
            help: "Print a JSON Schema of the app's value files for editors instead; needs --manifest.")
        var schema = false
        @ArgumentParser.Flag(help: "Treat warnings as errors.") var strict = false
        @OptionGroup var options: ContentOptions
        @OptionGroup var fractional: FractionalOptions
        @OptionGroup var output: FindingsOptions

        func validate() throws {
            if schema != files.isEmpty { throw ValidationError("Name at least one file, or only --schema.") }
            if schema || missing, manifest == nil {
                throw ValidationError("--schema and --missing need --manifest.")
            }
        }

        func run() throws {
            let index = try manifest.map(ManifestIndex.init(path:))
            if schema, let index {
                return try CommandOutput.standard.write(JSONReport.text(of: ValueFileSchema(index.manifest).document))
            }
            let check = FileCheck(
                content: options.content, index: index, findsMissing: missing,
                versions: try versions.map(AppVersion.init),
                attributes: try context.map(attributes), generation: fractional.generation)
            let results = files.map { check.result(of: $0, isStrict: strict) }
            let members: [String: EncodedFlagValue] = [
                "files": .array(results.map(\.encoded)), "isGood": .bool(results.allSatisfy(\.isGood)),
            ]
            let report = FindingsFormat(
                command: "validate", files: results.map { .init(findings: $0.findings, isGood: $0.isGood) })
            try output.print(report, members) { style in results.map { $0.text(style) }.joined() }
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

    /// The checks of `validate`.
    struct FileCheck {
        /// The content of the files; `nil` to recognize it.
        var content: FlagFile.Content?
        var index: ManifestIndex?
        var findsMissing = false
        var versions: [AppVersion] = []
        /// The attributes of an example context; `nil` if there is no example.
        var attributes: [String]?
        /// The generation of `fractional`, which determines what a split may bucket by.
        var generation = FractionalVersion.v2
        let now = Date()

        /// Checks a file. A file that cannot be read gives a finding.
        func result(of path: String, isStrict: Bool) -> Result {
            let file: FlagFile
            do throws(CommandFailure) {
                file = try FlagFile(path: path, as: content)
            } catch {
                let message = error.message.replacing("\(path) ", with: "", maxReplacements: 1)
                let finding = error.finding ?? Finding(severity: .error, path: path, message: message)
                return Result(path: path, isStrict: isStrict, findings: [finding])
            }
            var result = Result(path: path, isStrict: isStrict, file: file)
            switch file.content {
            case .values: result.count = file.values.count
            case .flagd:
                switch file.members["flags"] {
                case .object(let flags)?: result.count = flags.count
                case .array(let flags)?: result.count = flags.count
                default: break
                }
                result.findings = definitionProblems(in: file)
            case .manifest:
                do {
                    let index = ManifestIndex(try file.manifest())
                    result.count = index.manifest.allFlags.count
                    result.findings = index.sharedKeyFindings(in: path)
                } catch {
                    result.findings = [error.finding].compactMap(\.self)
                }
            }
            if let index {
                result.findings += ManifestCheck.findings(
                    in: file, against: index, findsMissing: findsMissing, now: now)
                result.findings.sort { ($0.position ?? .start) < ($1.position ?? .start) }
            }
            result.findings += VersionsCheck.findings(in: file, against: versions, now: now)
            if let reason = remoteRefusal(of: file) {
                let message = "a RemoteJSONProvider with its default configuration refuses this document: \(reason)"
                result.findings.append(Finding(severity: .warning, path: path, message: message))
            }
            return result
        }

        /// Returns the problems of flag definitions by themselves, in the order of the file.
        private func definitionProblems(in file: FlagFile) -> [Finding] {
            var marks = FindingMarks()
            let definitions = try? FlagDefinitions(.object(file.members), fractional: generation)
            for problem in definitions?.validate(attributes: attributes)
                ?? FlagDefinitions.validate(.object(file.members))
            {
                marks.add(
                    problem.isError ? .error : .warning, JSONPointer.components(problem.path), problem.flagKey,
                    "\(problem.path): \(problem.message)")
            }
            return marks.findings(in: file)
        }

        /// The reason why a remote provider would refuse a document that is within the limits of files, with the setting
        /// to change; `nil` if it would not, and for files that are no JSON document of values or definitions.
        private func remoteRefusal(of file: FlagFile) -> String? {
            guard file.format == .json, file.content != .manifest else { return nil }
            let limit = RemoteJSONProvider.Configuration().maximumBodyBytes
            guard file.input.bytes.count > limit else { return nil }
            return "it has more than \(limit.byteText), its maximumBodyBytes; raise that, or split the document"
        }

        /// The result of a check.
        struct Result {
            let path: String
            let isStrict: Bool
            /// The file; `nil` if it could not be read.
            var file: FlagFile?
            /// The number of flags, or of values at the top level.
            var count = 0
            var findings: [Finding] = []

            var isGood: Bool { findings.allSatisfy { $0.severity == .note || $0.severity == .warning && !isStrict } }

            /// Returns the findings with, if the file is good, a line that says so.
            func text(_ style: TextStyle) -> String {
                (findings.map { $0.line(style) } + (isGood ? [summary(style)] : [])).map { $0 + "\n" }.joined()
            }

            private func summary(_ style: TextStyle) -> String {
                let kind =
                    switch file?.content {
                    case .values: count.of("top-level value")
                    case let content: "\(content?.phrase ?? "not read"), \(count.of("flag"))"
                    }
                let warnings = findings.count { $0.severity == .warning }
                let addition = warnings == 0 ? "" : ", with \(warnings.of("warning"))"
                return "\(SafeText.line(path)): \(style.green("good"))\(addition): \(kind)"
            }

            /// The result for programs.
            var encoded: EncodedFlagValue {
                [
                    "path": .string(path), "content": file.map { .string($0.content.rawValue) } ?? .null,
                    "count": .count(count), "isGood": .bool(isGood), "findings": .array(findings.map(\.encoded)),
                ]
            }
        }
    }
#endif
