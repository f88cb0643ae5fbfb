#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineManifest
    import TacklineTerminal

    /// What should be tidied up among an app's flags.
    struct ManifestLint {
        /// What is looked for.
        enum Rule: String, CaseIterable {
            case expired, owner, unused

            var title: String {
                switch self {
                case .expired: "Expired: remove the flag from the code, or move its date"
                case .owner: "Without an owner: say who answers for it, with the metadata's owner"
                case .unused: "Mentioned by no source file: remove the flag, or name further folders"
                }
            }
        }

        private(set) var findings: [(rule: Rule, flag: FlagManifest.Entry)] = []
        let mentions: SourceMentions?

        init(_ manifest: FlagManifest, mentions: SourceMentions?, skipping skipped: Set<String>, now: Date) {
            self.mentions = mentions
            let rules = Rule.allCases.filter { !skipped.contains($0.rawValue) }
            for rule in rules {
                for flag in manifest.allFlags where ManifestLint.breaks(flag, rule, mentions, now) {
                    findings.append((rule, flag))
                }
            }
        }

        private static func breaks(
            _ flag: FlagManifest.Entry, _ rule: Rule, _ mentions: SourceMentions?, _ now: Date
        ) -> Bool {
            switch rule {
            case .expired: flag.isExpired(at: now)
            case .owner: flag.owner?.isEmpty ?? true
            case .unused: mentions.map { !$0.mentions(flag) } ?? false
            }
        }

        /// What `lint` prints.
        static func run(
            _ path: String, sources: [String], skipping skipped: [LintRuleName], format: FindingsFormatName,
            style: TextStyle
        ) throws(CommandFailure) -> (text: String, remarks: [String], isGood: Bool) {
            let manifest = try ManifestIndex(path: path).manifest
            let mentions =
                sources.isEmpty
                ? nil : try SourceMentions(folders: sources, progress: ProgressReport("Reading sources"))
            let lint = ManifestLint(
                manifest, mentions: mentions, skipping: Set(skipped.map(\.rawValue)), now: Date())
            let report = FindingsFormat(
                command: "lint",
                files: [.init(path: path, findings: try lint.marks(path), isGood: lint.findings.isEmpty)])
            var text =
                switch format {
                case .text: lint.text(style)
                case .json: try JSONReport.text("lint", lint.json)
                case .github: report.github
                case .sarif: try report.sarif()
                case .junit: report.junit
                }
            if text.isEmpty, format == .text { text = "\(path): \(style.green("good")): nothing to report\n" }
            return (text, mentions?.remarks ?? [], lint.findings.isEmpty)
        }

        private func text(_ style: TextStyle) -> String {
            Rule.allCases.compactMap { rule in
                let found = findings.filter { $0.rule == rule }
                guard !found.isEmpty else { return nil }
                let lines = found.map { "  " + line($0.flag, rule) + "\n" }
                return style.yellow(rule.title) + "\n" + lines.joined()
            }.joined(separator: "\n")
        }

        /// The findings at their places in the manifest.
        private func marks(_ path: String) throws(CommandFailure) -> [Finding] {
            let file = try FlagFile(path: path)
            var places: [String: [String]] = [:]
            if case .array(let listings)? = file.members["collections"] {
                for (number, listing) in listings.enumerated() {
                    guard case .object(let members) = listing, case .array(let flags)? = members["flags"] else {
                        continue
                    }
                    for (position, flag) in flags.enumerated() {
                        guard case .object(let flag) = flag, case .string(let key)? = flag["key"] else { continue }
                        places[key] = ["collections", "\(number)", "flags", "\(position)"]
                    }
                }
            }
            let positions = file.locate(findings.map { places[$0.flag.key] ?? ["flags", $0.flag.key] })
            return zip(findings, positions).map { found, position in
                Finding(
                    severity: .warning, path: path, position: position, key: found.flag.key,
                    rule: found.rule.rawValue, message: "\(line(found.flag, found.rule)): \(found.rule.title)")
            }
        }

        private func line(_ flag: FlagManifest.Entry, _ rule: Rule) -> String {
            var text = flag.key
            if rule == .expired, let date = flag.expiryDate { text += " on \(date.dayText)" }
            if let owner = flag.owner, !owner.isEmpty { text += " (\(owner))" }
            if let ticket = flag.ticket { text += " \(ticket)" }
            return SafeText.line(text)
        }

        private var json: [String: EncodedFlagValue] {
            let list = findings.map { rule, flag -> EncodedFlagValue in
                var members: [String: EncodedFlagValue] = [
                    "rule": .string(rule.rawValue), "key": .string(flag.key), "property": .string(flag.property),
                ]
                members["owner"] = flag.owner.map { .string($0) }
                members["ticket"] = flag.ticket.map { .string($0) }
                if let date = flag.expiryDate { members["expiryDate"] = .date(date) }
                return .object(members)
            }
            return ["findings": .array(list), "sourceFiles": .integer(Int128(mentions?.fileCount ?? 0))]
        }
    }
#endif
