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

            /// Whether the finding says what the records of use show.
            var isAboutUsage: Bool { [.overdue, .unread, .constant].contains(self) }

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
        private let places: SourcePlaces?
        private let usage: FlagUsageWindow?
        private let now: Date

        var isEmpty: Bool { found.isEmpty }

        /// - Parameters:
        ///   - places: The places of the flags in the sources; `nil` if no sources were named.
        ///   - usage: The use of the flags; `nil` if no records were named.
        init(
            _ manifest: FlagManifest, _ places: SourcePlaces?, _ usage: FlagUsageWindow?, skipping skipped: [Rule],
            now: Date
        ) {
            (self.places, self.usage, self.now) = (places, usage, now)
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
            case .unused: places.map { !$0.mentions(flag) } ?? false
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
                var place = flag.property.isEmpty ? nil : "declared as \(flag.property)"
                if let declarations = places?.declarations(of: flag.key), !declarations.isEmpty {
                    place = (place ?? "declared") + " at " + declarations.prefix(3).joined(separator: " or ")
                }
                if let place { parts.append(place) }
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
                    members["lastRead"] = usage.record.flags[flag.key]?.lastRead.map { .string("\($0)") }
                    members["values"] = .texts(usage.values(of: flag))
                    members["declarations"] = (places?.declarations(of: flag.key)).map { .texts($0) }
                }
                return .object(members)
            }
            return ["findings": .array(list), "sourceFiles": .count(places?.fileCount ?? 0)]
        }
    }
#endif
