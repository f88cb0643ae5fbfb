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
            do {
                let input = try InputFile(path: path)
                file = try FlagFile(input, as: content)
            } catch let error as FlagFileError {
                findings = [error.finding]
                return
            } catch let error as CommandFailure {
                let message =
                    error.message.hasPrefix("\(path) ")
                    ? String(error.message.dropFirst(path.count + 1)) : error.message
                findings = [Finding(severity: .error, path: path, message: message)]
                return
            } catch {
                findings = [Finding(severity: .error, path: path, message: "\(error)")]
                return
            }
            self.content = file.content
            switch file.content {
            case .values:
                count = file.members.keys.count { $0 != "$schema" }
                if let index { findings = ValueFileCheck.findings(in: file, against: index, now: now) }
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
                findings = Set(index.sharedKeys).sorted().map {
                    Finding(
                        severity: .error, path: path, key: $0,
                        message: "several flags have the key \"\($0)\"; give one of their collections a prefix")
                }
                let suggestion = KeySuggestion(manifest.allFlags.map(\.key))
                var marks: [FindingMark] = []
                for (position, constraint) in manifest.constraints.enumerated() {
                    let path = ["constraints", String(position), "rule"]
                    marks += FlagConstraint(constraint.name, rule: constraint.rule)
                        .mistakes(suggestion) { index.flag(at: [$0]) != nil }
                        .map { FindingMark(severity: .error, path: path, key: nil, message: $0) }
                }
                findings += FindingMark.findings(marks, in: file)
            } catch {
                findings = [
                    Finding(
                        severity: .error, path: path, position: file.locate([error.path])[0], message: error.description
                    )
                ]
            }
        }

        /// Returns the line that is printed for a good file.
        func summary(_ style: TextStyle) -> String {
            let noun = content == .values ? "value" : "flag"
            let counted = "\(count) \(noun)\(count == 1 ? "" : "s")"
            let kind =
                switch content {
                case .values?: "\(counted) at the top"
                case .flagd?: "flag definitions, \(counted)"
                case .manifest?: "a manifest, \(counted)"
                case nil: "not read"
                }
            let warnings = findings.count { $0.severity == .warning }
            let but = warnings == 0 ? "" : " but for \(warnings) warning\(warnings == 1 ? "" : "s")"
            return "\(SafeText.line(path)): \(style.green("good"))\(but): \(kind)"
        }

        var json: EncodedFlagValue {
            [
                "path": .string(path), "content": content.map { .string($0.rawValue) } ?? .null,
                "count": .integer(Int128(count)), "isGood": .bool(isGood),
                "findings": .array(findings.map(\.json)),
            ]
        }
    }
#endif
