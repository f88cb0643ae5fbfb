#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineManifest
    import TacklineRecording
    import TacklineTerminal

    /// The problems that `lint` reports in an app's flags.
    struct ManifestLint {
        /// A kind of problem.
        enum Rule: String, CaseIterable {
            case expired, overdue, owner, unused, unread, constant

            /// - Parameter days: The number of days of usage.
            func title(days: Int) -> String {
                switch self {
                case .expired: "Expired: remove the flag from the code, or move its date"
                case .overdue: "Expired and still read: fix the flag to a value, or move its date"
                case .owner: "Without an owner: say who answers for it, with the metadata's owner"
                case .unused: "Mentioned by no source file: remove the flag, or name further folders"
                case .unread: "Read by nothing for \(days) days: remove the flag"
                case .constant: "One value everywhere for \(days) days: fix the flag to it"
                }
            }
        }

        private(set) var findings: [(rule: Rule, flag: FlagManifest.Entry)] = []
        let mentions: SourceMentions?
        let usage: FlagUsageWindow?
        /// The declarations of flags, by key.
        private var places: SourcePlaces?
        private let now: Date

        init(
            _ manifest: FlagManifest, mentions: SourceMentions?, usage: FlagUsageWindow?, skipping skipped: Set<String>,
            now: Date
        ) {
            self.mentions = mentions
            self.usage = usage
            self.now = now
            let rules = Rule.allCases.filter { !skipped.contains($0.rawValue) }
            for rule in rules {
                for flag in manifest.allFlags where breaks(flag, rule) { findings.append((rule, flag)) }
            }
        }

        private func breaks(_ flag: FlagManifest.Entry, _ rule: Rule) -> Bool {
            switch rule {
            case .expired: flag.isExpired(at: now) && usage?.isOverdue(flag, at: now) != true
            case .overdue: usage?.isOverdue(flag, at: now) ?? false
            case .owner: flag.owner?.isEmpty ?? true
            case .unused: mentions.map { !$0.mentions(flag) } ?? false
            case .unread: usage?.isUnread(flag) ?? false
            // That it is overdue says so already.
            case .constant: usage.map { $0.isConstant(flag) && !$0.isOverdue(flag, at: now) } ?? false
            }
        }

        /// The files that a check reads.
        struct Input {
            var manifest: String
            /// The folders of sources.
            var sources: [String] = []
            /// The records of usage.
            var usage: [String] = []
            var days = 30
        }

        /// Returns the output of `lint`, remarks on the sources and the usage, and whether there are no findings.
        static func run(
            _ input: Input, skipping skipped: [LintRuleName], format: FindingsFormatName, style: TextStyle
        ) throws(CommandFailure) -> (text: String, remarks: [String], isGood: Bool) {
            let (path, now) = (input.manifest, Date())
            let manifest = try ManifestIndex(path: path).manifest
            let mentions =
                input.sources.isEmpty
                ? nil : try SourceMentions(folders: input.sources, progress: ProgressReport("Reading sources"))
            let usage =
                input.usage.isEmpty
                ? nil : try FlagUsageWindow(paths: input.usage, days: input.days, today: FlagUsageRecord.Day(now))
            var lint = ManifestLint(
                manifest, mentions: mentions, usage: usage, skipping: Set(skipped.map(\.rawValue)), now: now)
            if usage != nil, mentions != nil {
                lint.places = try SourcePlaces(
                    of: lint.findings.map(\.flag), in: input.sources, declarationsOnly: true,
                    progress: ProgressReport("Looking for declarations"))
            }
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
            let remarks = (mentions?.remarks ?? []) + (usage?.remarks(on: manifest) ?? [])
            return (text, remarks, lint.findings.isEmpty)
        }

        private func title(_ rule: Rule) -> String { rule.title(days: usage?.days ?? 0) }

        private func text(_ style: TextStyle) -> String {
            Rule.allCases.compactMap { rule in
                let found = findings.filter { $0.rule == rule }
                guard !found.isEmpty else { return nil }
                let lines = found.map { "  " + line($0.flag, rule) + "\n" }
                return style.yellow(title(rule)) + "\n" + lines.joined()
            }.joined(separator: "\n")
        }

        /// Returns the findings at their places in the manifest.
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
                    rule: found.rule.rawValue, message: "\(line(found.flag, found.rule)): \(title(found.rule))")
            }
        }

        private func line(_ flag: FlagManifest.Entry, _ rule: Rule) -> String {
            var text = flag.key
            if [.expired, .overdue].contains(rule), let date = flag.expiryDate { text += " on \(date.dayText)" }
            if let owner = flag.owner, !owner.isEmpty { text += " (\(owner))" }
            if let ticket = flag.ticket { text += " \(ticket)" }
            if let usage, [.overdue, .unread, .constant].contains(rule) {
                var parts = [usage.lastReadText(flag), usage.removalText(flag)]
                var place = flag.property.isEmpty ? nil : "declared as \(flag.property)"
                if let declarations = places?.declarations(of: flag.key), !declarations.isEmpty {
                    place = (place ?? "declared") + " at " + declarations.prefix(3).joined(separator: " or ")
                }
                if let place { parts.append(place) }
                text += ": " + parts.joined(separator: "; ")
            }
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
                if let usage, [.overdue, .unread, .constant].contains(rule) {
                    members["lastRead"] = usage.record.flags[flag.key]?.lastRead.map { .string("\($0)") }
                    members["values"] = .array(usage.values(of: flag).map { .string($0) })
                    members["declarations"] = (places?.declarations(of: flag.key)).map {
                        .array($0.map { .string($0) })
                    }
                }
                return .object(members)
            }
            return ["findings": .array(list), "sourceFiles": .integer(Int128(mentions?.fileCount ?? 0))]
        }
    }
#endif
