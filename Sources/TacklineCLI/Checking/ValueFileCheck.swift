#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineManifest
    import TacklineTargeting

    /// A comparison of the values in a file with the flags that an app declares.
    struct ValueFileCheck {
        private let index: ManifestIndex
        private let now: Date
        private var marks: [FindingMark] = []
        /// The flags' keys for which a value was found, each with the last path at which it was found.
        private var seen: [String: [String]] = [:]

        private init(_ index: ManifestIndex, now: Date) {
            self.index = index
            self.now = now
        }

        /// Returns all problems with the values, in the order of the file.
        static func findings(in file: FlagFile, against index: ManifestIndex, now: Date) -> [Finding] {
            var check = ValueFileCheck(index, now: now)
            var members = file.members
            // `$schema` names the schema for editors and is not a flag.
            members["$schema"] = nil
            check.visit(members, at: [])
            let findings = FindingMark.findings(check.marks, in: file)
            return findings + general(index, seen: Set(check.seen.keys), path: file.path)
        }

        /// Returns the findings that concern the file as a whole.
        static func general(_ index: ManifestIndex, seen: Set<String>, path: String) -> [Finding] {
            var findings = Set(index.sharedKeys).sorted().map { key in
                Finding(
                    severity: .error, path: path, key: key,
                    message:
                        "several flags of the manifest have the key \"\(key)\"; give one of their collections a prefix")
            }
            let missing = index.manifest.allFlags.map(\.key).filter { !seen.contains($0) }
            if !missing.isEmpty {
                let shown = missing.prefix(10).map { "\"\($0)\"" }.joined(separator: ", ")
                let rest = missing.count > 10 ? " and \(missing.count - 10) more" : ""
                findings.append(
                    Finding(
                        severity: .note, path: path,
                        message: "no value for \(shown)\(rest); the next provider or the default answers"))
            }
            return findings
        }

        /// Checks members and those of the groups among them. The depth of the manifest's groups limits the recursion.
        private mutating func visit(_ members: [String: EncodedFlagValue], at path: [String]) {
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                let here = path + [name]
                if let flag = index.flag(at: here) {
                    check(value, for: flag, at: here)
                } else if index.isGroup(here), case .object(let inner) = value {
                    visit(inner, at: here)
                } else {
                    let key = here.joined(separator: FlagKeyPath.defaultSeparator)
                    let otherwise = "remove it, or declare the flag"
                    // Searching for a similar key takes time, so it ends after a hundred findings.
                    let advice =
                        marks.count < 100 ? index.suggestion.advice(for: key, otherwise: otherwise) : otherwise
                    mark(.warning, here, key, "no flag has the key \(EncodedFlagValue.string(key)); \(advice)")
                }
            }
        }

        private mutating func check(_ value: EncodedFlagValue, for flag: FlagManifest.Entry, at path: [String]) {
            if let other = seen[flag.key] {
                let nested = path.count > other.count ? path : other
                mark(
                    .warning, nested, flag.key,
                    "the key \"\(flag.key)\" stands here a second time and is shadowed by the flat one; remove one")
            }
            seen[flag.key] = path
            do {
                _ = try flag.type.normalized(value)
            } catch {
                mark(.error, path + error.path, flag.key, "flag \"\(flag.key)\": \(error); correct the value")
            }
            if flag.isExpired(at: now), let date = flag.expiryDate {
                mark(
                    .warning, path, flag.key,
                    "flag \"\(flag.key)\" expired on \(date.dayText); remove it from the code and from here")
            }
        }

        private mutating func mark(_ severity: Finding.Severity, _ path: [String], _ key: String, _ message: String) {
            marks.append(FindingMark(severity: severity, path: path, key: key, message: message))
        }
    }

    extension Date {
        /// The day in UTC, such as `2026-11-21`.
        var dayText: String {
            String(EncodedFlagValue.date(self).description.prefix(10))
        }
    }
#endif
