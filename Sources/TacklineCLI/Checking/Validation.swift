#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineFormats
    import TacklineTargeting

    /// The results of `validate` for all files.
    struct Validation {
        private let checks: [FileCheck]

        init(
            files: [String], content: ContentName?, manifest: String?, versions: AppVersions? = nil,
            context: String? = nil, generation: FractionalGeneration = .v2, isStrict: Bool = false
        ) throws(CommandFailure) {
            let attributes = try context.map { path throws(CommandFailure) in try Self.attributes(path) }
            let index = try manifest.map { path throws(CommandFailure) in try ManifestIndex(path: path) }
            let progress = ProgressReport("Checking")
            let now = Date()
            var checks: [FileCheck] = []
            for file in files {
                progress.advance(to: checks.count, of: files.count)
                checks.append(
                    FileCheck(
                        path: file, as: content.map(\.content), against: index, versions: versions,
                        attributes: attributes, generation: generation, isStrict: isStrict, now: now))
            }
            progress.finish()
            self.checks = checks
        }

        /// Returns the names and types of the attributes in an example of a context.
        private static func attributes(_ path: String) throws(CommandFailure) -> [String: FlagValueType] {
            let input = try InputFile(path: path)
            let value: EncodedFlagValue
            do {
                value = try FlagJSONReader().read(input.bytes)
            } catch {
                throw CommandFailure("\(path):\(error.line):\(error.column): error: \(error.message)")
            }
            guard case .object(let members) = value else {
                throw CommandFailure(
                    "\(path) has to be a context, an object of attributes: { \"email\": \"ada@example.com\", \"age\": 36 }."
                )
            }
            return members.compactMapValues { FlagValueType($0) }
        }

        var isGood: Bool { checks.allSatisfy(\.isGood) }

        func text(_ style: TextStyle) -> String {
            checks.map { check in
                let lines = check.findings.map { $0.line(style) } + (check.isGood ? [check.summary(style)] : [])
                return lines.map { $0 + "\n" }.joined() + check.versionsTable
            }.joined()
        }

        /// Returns the output in the requested format.
        func text(_ format: FindingsFormatName, _ style: TextStyle) throws(CommandFailure) -> String {
            let report = FindingsFormat(
                command: "validate",
                files: checks.map { FindingsFormat.File(path: $0.path, findings: $0.findings, isGood: $0.isGood) })
            return switch format {
            case .text: text(style)
            case .json: try json()
            case .github: report.github
            case .sarif: try report.sarif()
            case .junit: report.junit
            }
        }

        func json() throws(CommandFailure) -> String {
            try JSONReport.text("validate", ["files": .array(checks.map(\.json)), "isGood": .bool(isGood)])
        }

        /// Returns a JSON Schema for editors.
        static func schema(_ content: ContentName, manifest: String?) throws(CommandFailure) -> String {
            let schema: EncodedFlagValue
            switch content {
            case .flagd: schema = FixedSchemas.flagd
            case .manifest: schema = FixedSchemas.manifest
            case .values:
                guard let manifest else { throw CommandFailure("--schema values needs --manifest.", status: .usage) }
                schema = ValueFileSchema(try ManifestIndex(path: manifest).manifest).document
            }
            do {
                return try FlagJSONWriter(layout: .pretty).text(of: schema)
            } catch {
                throw CommandFailure("The schema cannot be written: \(error).")
            }
        }
    }

    extension ContentName {
        var content: FlagFile.Content {
            switch self {
            case .values: .values
            case .flagd: .flagd
            case .manifest: .manifest
            }
        }
    }
#endif
