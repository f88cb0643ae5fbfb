#if CommandLine
    import ArgumentParser
    import Foundation
    import TacklineCore
    import TacklineManifest
    import TacklineUsage

    struct LintCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "lint",
            abstract: "Reports flags that are expired, have no owner, or could go.",
            discussion: """
                Ends with 1 if there is something to report.

                With --usage it also reports flags that nothing has read in --days, flags that had one value everywhere in \
                that time, and expired flags that are still read: each with the value that its removal leaves.

                  tackline lint manifest.json
                  tackline lint manifest.json --usage usage/ --days 30
                  tackline lint manifest.json --skip owner
                """
        )

        @Argument(help: "The manifest of the app.", completion: .file()) var manifest: String
        @OptionGroup var usage: UsageOptions
        @Option(help: "What not to report: expired, overdue, owner, unread or constant.") var skip:
            [ManifestLint.Rule] = []
        @OptionGroup var output: FindingsOptions

        func run() throws {
            let now = Date()
            let declared = try ManifestIndex(path: manifest).manifest
            let usage = try usage.window(today: now)
            let lint = ManifestLint(declared, usage, skipping: skip, now: now)
            for remark in usage?.remarks(on: declared) ?? [] { CommandOutput.error.report("note: \(remark)") }
            let file = FindingsFormat.File(
                path: manifest, findings: lint.findings(in: try FlagFile(path: manifest)), isGood: lint.isEmpty)
            try output.print(FindingsFormat(command: "lint", files: [file]), lint.members) { style in
                lint.isEmpty ? "\(manifest): \(style.green("good")): nothing to report\n" : lint.text(style)
            }
        }
    }

    /// The options of commands that look at the records of use.
    struct UsageOptions: ParsableArguments {
        @Option(
            name: .customLong("usage"),
            help: "A file that FlagUsage has written, or a folder of them; several are merged.", completion: .file())
        var paths: [String] = []
        @Option(help: "The number of days before the end of the usage.") var days = 30

        /// Reads the records; returns `nil` if none is named.
        func window(today: Date) throws(CommandFailure) -> FlagUsageWindow? {
            paths.isEmpty ? nil : try FlagUsageWindow(paths: paths, days: days, today: today)
        }
    }

    /// The problems that `lint` reports in an app's flags.
    struct ManifestLint {
        /// A kind of problem.
        enum Rule: String, CaseIterable, ExpressibleByArgument {
            case expired, overdue, owner, unread, constant

            /// Whether the finding says what the records of use show.
            var isAboutUsage: Bool { [.overdue, .unread, .constant].contains(self) }

            /// - Parameter days: The number of days of usage.
            func title(days: Int) -> String {
                switch self {
                case .expired: "Expired: remove the flag from the code, or move its date"
                case .overdue: "Expired and still read: fix the flag to a value, or move its date"
                case .owner: "Without an owner: say who answers for it, with the metadata's owner"
                case .unread: "Read by nothing for \(days) days: remove the flag"
                case .constant: "One value everywhere for \(days) days: fix the flag to it"
                }
            }
        }

        /// A flag with a problem.
        private struct Found {
            let rule: Rule
            let flag: FlagManifest.Entry
            /// The positions of the flag's collection, and of the flag in it.
            let (collection, position): (Int, Int)
            /// The name of the collection if another one has a flag of the same key.
            let collectionName: String?
        }

        private var found: [Found] = []
        private let usage: FlagUsageWindow?
        private let now: Date

        var isEmpty: Bool { found.isEmpty }

        /// - Parameters:
        ///   - usage: The use of the flags; `nil` if no records were named.
        init(
            _ manifest: FlagManifest, _ usage: FlagUsageWindow?, skipping skipped: [Rule], now: Date
        ) {
            (self.usage, self.now) = (usage, now)
            let shared = Set(ManifestIndex(manifest).sharedKeys)
            for rule in Rule.allCases where !skipped.contains(rule) {
                for (number, collection) in manifest.collections.enumerated() {
                    for (position, flag) in collection.flags.enumerated() where breaks(flag, rule) {
                        let name = shared.contains(flag.key) ? collection.name ?? "collection \(number + 1)" : nil
                        found.append(
                            Found(
                                rule: rule, flag: flag, collection: number, position: position, collectionName: name))
                    }
                }
            }
        }

        private func breaks(_ flag: FlagManifest.Entry, _ rule: Rule) -> Bool {
            switch rule {
            case .expired: flag.isExpired(at: now) && usage?.isOverdue(flag, at: now) != true
            case .overdue: usage?.isOverdue(flag, at: now) ?? false
            case .owner: flag.owner?.isEmpty ?? true
            case .unread: usage?.isUnread(flag) ?? false
            // That it is overdue says so already.
            case .constant: usage.map { $0.isConstant(flag) && !$0.isOverdue(flag, at: now) } ?? false
            }
        }

        private func title(_ rule: Rule) -> String { rule.title(days: usage?.days ?? 0) }

        /// Returns the flags in a paragraph for each rule.
        func text(_ style: TextStyle) -> String {
            Rule.allCases.compactMap { rule in
                let lines = found.filter { $0.rule == rule }.map { "  " + line($0) + "\n" }
                return lines.isEmpty ? nil : style.yellow(title(rule)) + "\n" + lines.joined()
            }.joined(separator: "\n")
        }

        /// Returns the findings at their places in the manifest.
        func findings(in file: FlagFile) -> [Finding] {
            let hasCollections = file.members["collections"] != nil
            let positions = file.locate(
                found.map {
                    hasCollections
                        ? ["collections", "\($0.collection)", "flags", "\($0.position)"] : ["flags", $0.flag.key]
                })
            return zip(found, positions).map { found, position in
                Finding(
                    severity: .warning, path: file.path, position: position, key: found.flag.key,
                    rule: found.rule.rawValue, message: "\(line(found)): \(title(found.rule))")
            }
        }

        private func line(_ found: Found) -> String {
            let flag = found.flag
            var text = flag.key
            if let name = found.collectionName { text += " of \(name)" }
            if [.expired, .overdue].contains(found.rule), let date = flag.expiryDate { text += " on \(date.dayText)" }
            if let owner = flag.owner, !owner.isEmpty { text += " (\(owner))" }
            if let ticket = flag.ticket { text += " \(ticket)" }
            if let usage, found.rule.isAboutUsage {
                var parts = [usage.lastReadText(flag), usage.removalText(flag)]
                if !flag.property.isEmpty { parts.append("declared as \(flag.property)") }
                text += ": " + parts.joined(separator: "; ")
            }
            return SafeText.line(text)
        }

        /// The findings for programs.
        var members: [String: EncodedFlagValue] {
            let list = found.map { found -> EncodedFlagValue in
                let flag = found.flag
                var members: [String: EncodedFlagValue] = [
                    "rule": .string(found.rule.rawValue), "key": .string(flag.key), "property": .string(flag.property),
                ]
                members["owner"] = flag.owner.map { .string($0) }
                members["ticket"] = flag.ticket.map { .string($0) }
                members["expiryDate"] = flag.expiryDate.map { .date($0) }
                members["collection"] = found.collectionName.map { .string($0) }
                if let usage, found.rule.isAboutUsage {
                    members["lastRead"] = (usage.record.flags[flag.key]?.lastRead).map { .string($0.dayText) }
                    members["values"] = .texts(usage.values(of: flag))
                }
                return .object(members)
            }
            return ["findings": .array(list)]
        }
    }
#endif
