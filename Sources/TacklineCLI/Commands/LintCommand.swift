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
        @Option(
            name: .customLong("usage"),
            help: "A file that FlagUsage has written, or a folder of them; several are merged.", completion: .file())
        var paths: [String] = []
        @Option(help: "The number of days before the end of the usage.") var days = 30
        @Option(help: "Not to report: expired, overdue, owner, unread, constant.") var skip: [ManifestLint.Rule] = []
        @OptionGroup var output: FindingsOptions

        func run() throws {
            let now = Date()
            let file = try FlagFile(path: manifest)
            let usage = paths.isEmpty ? nil : try FlagUsageWindow(paths: paths, days: days, today: now)
            let lint = try ManifestLint(file.manifest(), usage, skipping: skip, now: now)
            for remark in usage?.remarks ?? [] { CommandOutput.error.report("note: \(remark)") }
            let report = FindingsFormat(
                command: "lint", files: [.init(findings: lint.findings(in: file), isGood: lint.found.isEmpty)])
            try output.print(report, lint.members) { style in
                lint.found.isEmpty ? "\(manifest): \(style.green("good")): nothing to report\n" : lint.text(style)
            }
        }
    }

    /// The problems that `lint` reports in an app's flags.
    struct ManifestLint {
        /// A kind of problem.
        enum Rule: String, CaseIterable, ExpressibleByArgument {
            case expired, overdue, owner, unread, constant

            /// - Parameter days: The number of days of usage.
            func title(days: Int) -> String {
                switch self {
                case .expired: "Expired: remove the flag from the code, or move its date"
                case .overdue: "Expired and still read: replace the flag by a value, or move its date"
                case .owner: "Without an owner: say who answers for it, with the metadata's owner"
                case .unread: "Not read for \(days) days: remove the flag"
                case .constant: "One value everywhere for \(days) days: replace the flag by it"
                }
            }
        }

        /// The flags with a problem, each with its place in the manifest.
        private(set) var found: [(rule: Rule, flag: FlagManifest.Entry, place: [String])] = []
        private let usage: FlagUsageWindow?

        /// - Parameters:
        ///   - usage: The use of the flags; `nil` if no records were named.
        init(_ manifest: FlagManifest, _ usage: FlagUsageWindow?, skipping skipped: [Rule], now: Date) {
            self.usage = usage
            for rule in Rule.allCases where !skipped.contains(rule) {
                for (number, collection) in manifest.collections.enumerated() {
                    for (position, flag) in collection.flags.enumerated() where breaks(flag, rule, now) {
                        found.append((rule, flag, ["collections", "\(number)", "flags", "\(position)"]))
                    }
                }
            }
        }

        private func breaks(_ flag: FlagManifest.Entry, _ rule: Rule, _ now: Date) -> Bool {
            let isOverdue = usage?.isOverdue(flag, at: now) ?? false
            return switch rule {
            case .expired: flag.isExpired(at: now) && !isOverdue
            case .overdue: isOverdue
            case .owner: flag.owner?.isEmpty ?? true
            case .unread: usage?.isUnread(flag) ?? false
            // That it is overdue says so already.
            case .constant: usage?.isConstant(flag) ?? false && !isOverdue
            }
        }

        private func title(_ rule: Rule) -> String { rule.title(days: usage?.days ?? 0) }

        /// Returns the flags in a paragraph for each rule.
        func text(_ style: TextStyle) -> String {
            Rule.allCases.compactMap { rule in
                let lines = found.filter { $0.rule == rule }.map { "  \(line($0.rule, $0.flag))\n" }
                return lines.isEmpty ? nil : style.yellow(title(rule)) + "\n" + lines.joined()
            }.joined(separator: "\n")
        }

        /// Returns the findings at their places in the manifest.
        func findings(in file: FlagFile) -> [Finding] {
            zip(found, file.locate(found.map(\.place))).map { found, position in
                Finding(
                    severity: .warning, path: file.path, position: position, key: found.flag.key,
                    message: "\(line(found.rule, found.flag)): \(title(found.rule))")
            }
        }

        private func line(_ rule: Rule, _ flag: FlagManifest.Entry) -> String {
            var text = flag.key
            if [.expired, .overdue].contains(rule), let date = flag.expiryDate { text += " on \(date.dayText)" }
            if let owner = flag.owner, !owner.isEmpty { text += " (\(owner))" }
            if let ticket = flag.ticket { text += " \(ticket)" }
            if let usage, ![.expired, .owner].contains(rule) {
                text += ": \(usage.lastReadText(flag)); \(usage.removalText(flag))"
                if !flag.property.isEmpty { text += "; declared as \(flag.property)" }
            }
            return SafeText.line(text)
        }

        /// The findings for programs.
        var members: [String: EncodedFlagValue] {
            let list = found.map { rule, flag, _ -> EncodedFlagValue in
                var members: [String: EncodedFlagValue] = [
                    "rule": .string(rule.rawValue), "key": .string(flag.key), "property": .string(flag.property),
                ]
                members["owner"] = flag.owner.map { .string($0) }
                members["ticket"] = flag.ticket.map { .string($0) }
                members["expiryDate"] = flag.expiryDate.map { .date($0) }
                if let usage, ![.expired, .owner].contains(rule) {
                    members["lastRead"] = (usage.record.flags[flag.key]?.lastRead).map { .string($0.dayText) }
                    members["values"] = .texts(usage.values(of: flag))
                }
                return .object(members)
            }
            return ["findings": .array(list)]
        }
    }
#endif
