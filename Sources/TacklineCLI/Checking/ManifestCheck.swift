#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineManifest
    import TacklineTargeting

    /// A comparison of the values or definitions in a file with the flags that an app declares.
    struct ManifestCheck {
        private let index: ManifestIndex
        private let now: Date
        private var marks: FindingMarks
        /// The flags' keys for which a value was found, each with the last path at which it was found.
        private var seen: [String: [String]] = [:]

        private init(_ index: ManifestIndex, now: Date, marks: FindingMarks = FindingMarks()) {
            (self.index, self.now, self.marks) = (index, now, marks)
        }

        /// Returns all problems with the values of a file, in the order of the file.
        static func findings(inValuesOf file: FlagFile, against index: ManifestIndex, now: Date) -> [Finding] {
            var check = ManifestCheck(index, now: now)
            check.visit(file.values, at: [])
            return check.findings(in: file)
        }

        /// Returns all problems with flag definitions, in the order of the file.
        ///
        /// - Parameter marks: Problems that were found before.
        static func findings(
            inDefinitionsOf file: FlagFile, _ definitions: FlagDefinitions, against index: ManifestIndex, now: Date,
            _ marks: FindingMarks
        ) -> [Finding] {
            var check = ManifestCheck(index, now: now, marks: marks)
            for (key, definition) in definitions.flags.sorted(by: { $0.key < $1.key }) {
                check.seen[key] = ["flags", key]
                check.visit(definition, key)
            }
            return check.findings(in: file)
        }

        private func findings(in file: FlagFile) -> [Finding] {
            var findings = marks.findings(in: file)
            findings += index.sharedKeyFindings(in: file.path)
            let missing = index.manifest.allFlags.map(\.key).filter { seen[$0] == nil }
            if !missing.isEmpty {
                let shown = missing.prefix(10).map { "\"\($0)\"" }.joined(separator: ", ")
                let rest = missing.count > 10 ? " and \(missing.count - 10) more" : ""
                let message = "no value for \(shown)\(rest); the next provider or the default answers"
                findings.append(Finding(severity: .note, path: file.path, message: message))
            }
            return findings
        }

        /// Checks members and those of the groups among them. The depth of the manifest's groups limits the recursion.
        private mutating func visit(_ members: [String: EncodedFlagValue], at path: [String]) {
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                let here = path + [name]
                if let flag = index.flag(at: here) {
                    if let other = seen[flag.key] {
                        marks.add(
                            .warning, here.count > other.count ? here : other, flag.key,
                            "the key \"\(flag.key)\" stands here a second time and is shadowed by the flat one; remove one"
                        )
                    }
                    seen[flag.key] = here
                    check(value, of: flag, "flag \"\(flag.key)\"", at: here)
                    checkExpiry(of: flag, at: here)
                } else if index.isGroup(here), case .object(let inner) = value {
                    visit(inner, at: here)
                } else {
                    reportUnknown(here.joined(separator: FlagKeyPath.defaultSeparator), at: here)
                }
            }
        }

        private mutating func visit(_ definition: FlagDefinition, _ key: String) {
            guard let flag = index.flag(at: [key]) else { return reportUnknown(key, at: ["flags", key]) }
            for (name, value) in definition.variants.sorted(by: { $0.key < $1.key }) {
                check(value, of: flag, "flag \"\(key)\", variant \"\(name)\"", at: ["flags", key, "variants", name])
            }
            checkExpiry(of: flag, at: ["flags", key])
        }

        private mutating func reportUnknown(_ key: String, at path: [String]) {
            let advice = marks.advice(index.suggestion, for: key, otherwise: "remove it, or declare the flag")
            marks.add(.warning, path, key, "no flag has the key \(EncodedFlagValue.string(key)); \(advice)")
        }

        private mutating func check(
            _ value: EncodedFlagValue, of flag: FlagManifest.Entry, _ subject: String, at path: [String]
        ) {
            do {
                _ = try flag.type.normalized(value)
            } catch {
                marks.add(.error, path + error.path, flag.key, "\(subject): \(error); correct the value")
            }
        }

        private mutating func checkExpiry(of flag: FlagManifest.Entry, at path: [String]) {
            guard flag.isExpired(at: now), let date = flag.expiryDate else { return }
            let message = "flag \"\(flag.key)\" expired on \(date.dayText); remove it from the code and from here"
            marks.add(.warning, path, flag.key, message)
        }
    }

    extension ManifestIndex {
        /// Returns a finding for each key that several flags have.
        func sharedKeyFindings(in path: String) -> [Finding] {
            Set(sharedKeys).sorted().map { key in
                Finding(
                    severity: .error, path: path, key: key,
                    message:
                        "several flags have the key \"\(key)\"; give one of their collections a prefix")
            }
        }
    }

    extension Date {
        /// The day in UTC, such as `2026-11-21`.
        var dayText: String {
            String(EncodedFlagValue.date(self).description.prefix(10))
        }
    }
#endif
