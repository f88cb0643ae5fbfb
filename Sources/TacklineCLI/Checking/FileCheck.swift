#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineFiles
    import TacklineFormats
    import TacklineManifest
    import TacklineRemoteJSON
    import TacklineTargeting
    import TacklineTerminal

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
            attributes: [String: FlagValueType]?, generation: FractionalGeneration, isStrict: Bool = false, now: Date
        ) {
            self.path = path
            self.isStrict = isStrict
            let file: FlagFile
            do throws(CommandFailure) {
                file = try FlagFile(path: path, as: content)
            } catch {
                let message = error.message.suffix(after: "\(path) ") ?? error.message
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
            if let comment = file.comment {
                let message =
                    "JSON has no comments, and apps refuse them; remove them, or publish what tackline convert --to json makes"
                findings.insert(Finding(severity: .error, path: path, position: comment, message: message), at: 0)
            }
        }

        /// The reason why a remote provider would refuse a document that is within the limits of files, with the setting
        /// to change; `nil` if it would not, and for files that are no JSON document of values or definitions. Comments
        /// are a finding of their own.
        private static func remoteRefusal(of file: FlagFile) -> String? {
            guard file.format == .json, file.content != .manifest, file.comment == nil else { return nil }
            let configuration = RemoteJSONConfiguration()
            let limit = configuration.maximumBodyBytes
            guard file.input.bytes.count <= limit else {
                return "it has more than \(limit.byteText), its maximumBodyBytes; raise that, or split the document"
            }
            do {
                let format = file.content == .flagd ? FlagDocumentFormat.flagd : .values
                _ = try format.document(json: Data(file.input.bytes), limits: configuration.limits)
                return nil
            } catch {
                return "\(error); or raise the configuration's limits"
            }
        }

        private mutating func checkManifest(_ file: FlagFile) {
            do {
                let manifest = try FlagManifest(.object(file.members))
                count = manifest.allFlags.count
                let index = ManifestIndex(manifest)
                var marks = FindingMarks()
                for (position, constraint) in manifest.constraints.enumerated() {
                    let mistakes = FlagConstraint(constraint.name, rule: constraint.rule)
                        .mistakes(index.suggestion) { index.flag(at: [$0]) != nil }
                    for mistake in mistakes {
                        marks.add(.error, ["constraints", String(position), "rule"], nil, mistake)
                    }
                }
                findings = index.sharedKeyFindings(in: path) + marks.findings(in: file)
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
#endif
